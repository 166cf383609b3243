/// Converts providers' language codes to ISO 639-1 (metadata.md "Mapping").
package enum LanguageCode {
    /// The two-letter code for an ISO 639-1, 639-2 (B or T) or 639-3 code, or for a BCP 47 tag such as `pt-BR`.
    ///
    /// `nil` if there is no two-letter code for it, as for `und`, `mul` and `zxx`, which do not stand for a single language.
    package static func iso6391(_ code: String) -> String? {
        let primary = code.prefix { $0 != "-" && $0 != "_" }.lowercased()
        guard primary.utf8.count == 2 else { return primary.utf8.count == 3 ? byThreeLetters[primary] : nil }
        return twoLetter.contains(primary) ? primary : withdrawn[primary]
    }

    /// The two-letter code for an Open Library key such as `/languages/eng`.
    static func iso6391(openLibraryKey key: String) -> String? {
        iso6391(key.split(separator: "/").last.map(String.init) ?? "")
    }

    private static let byThreeLetters: [String: String] = {
        var codes: [String: String] = [:]
        for entry in table.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(whereSeparator: { $0 == ":" || $0 == "," }).map(String.init)
            for threeLetters in parts.dropFirst() { codes[threeLetters] = parts[0] }
        }
        return codes
    }()

    /// Withdrawn two-letter codes, some of which Google still sends, and their replacements (ISO 639/RA notices).
    private static let withdrawn = ["iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"]

    private static let twoLetter = Set(byThreeLetters.values)

    /// ISO 639-1, then 639-2/T (which is also 639-3), then 639-2/B where it differs, then withdrawn codes that library catalogs still use (`scr`,
    /// `scc`, `mol`).
    private static let table = """
        aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel
        bg:bul bh:bih bi:bis bm:bam bn:ben bo:bod,tib br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces,cze
        cu:chu cv:chv cy:cym,wel da:dan de:deu,ger dv:div dz:dzo ee:ewe el:ell,gre en:eng eo:epo es:spa
        et:est eu:eus,baq fa:fas,per ff:ful fi:fin fj:fij fo:fao fr:fra,fre fy:fry ga:gle gd:gla gl:glg
        gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv,scr ht:hat hu:hun hy:hye,arm hz:her ia:ina
        id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl,ice it:ita iu:iku ja:jpn jv:jav ka:kat,geo kg:kon
        ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir la:lat
        lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri,mao mk:mkd,mac ml:mal
        mn:mon mr:mar ms:msa,may mt:mlt my:mya,bur na:nau nb:nob nd:nde ne:nep ng:ndo nl:nld,dut nn:nno
        no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por
        qu:que rm:roh rn:run ro:ron,rum,mol ru:rus rw:kin sa:san sc:srd sd:snd se:sme sg:sag sh:hbs si:sin
        sk:slk,slo sl:slv sm:smo sn:sna so:som sq:sqi,alb sr:srp,scc ss:ssw st:sot su:sun sv:swe sw:swa ta:tam
        te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig
        uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor za:zha zh:zho,chi
        zu:zul
        """
}
