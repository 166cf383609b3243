import BookMetadata
import Testing

/// metadata.md "Mapping": Open Library uses MARC and ISO 639-2 codes, and clients read ISO 639-1 codes.
@Suite("Language codes")
struct LanguageTableTests {
    @Test(
        "bibliographic and terminological codes for a language map to the same ISO 639-1 code",
        arguments: [
            ("alb", "sqi", "sq"), ("arm", "hye", "hy"), ("baq", "eus", "eu"), ("bur", "mya", "my"),
            ("chi", "zho", "zh"),
            ("cze", "ces", "cs"), ("dut", "nld", "nl"), ("fre", "fra", "fr"), ("geo", "kat", "ka"),
            ("ger", "deu", "de"),
            ("gre", "ell", "el"), ("ice", "isl", "is"), ("mac", "mkd", "mk"), ("mao", "mri", "mi"),
            ("may", "msa", "ms"),
            ("per", "fas", "fa"), ("rum", "ron", "ro"), ("slo", "slk", "sk"), ("tib", "bod", "bo"),
            ("wel", "cym", "cy"),
        ])
    func twoCodes(bibliographic: String, terminological: String, code: String) {
        #expect(LanguageCode.iso6391(bibliographic) == code)
        #expect(LanguageCode.iso6391(terminological) == code)
        #expect(LanguageCode.iso6391(code) == code)
    }

    @Test(
        "three-letter codes, in lower or upper case, map to ISO 639-1 codes",
        arguments: [
            ("ara", "ar"), ("ben", "bn"), ("bul", "bg"), ("cat", "ca"), ("dan", "da"), ("eng", "en"), ("epo", "eo"),
            ("est", "et"), ("fin", "fi"), ("gle", "ga"), ("glg", "gl"), ("heb", "he"), ("hin", "hi"), ("hrv", "hr"),
            ("hun", "hu"), ("ind", "id"), ("ita", "it"), ("jpn", "ja"), ("kor", "ko"), ("lat", "la"), ("lav", "lv"),
            ("lit", "lt"), ("nob", "nb"), ("nno", "nn"), ("nor", "no"), ("pol", "pl"), ("por", "pt"), ("rus", "ru"),
            ("san", "sa"), ("slv", "sl"), ("spa", "es"), ("srp", "sr"), ("swa", "sw"), ("swe", "sv"), ("tam", "ta"),
            ("tel", "te"), ("tha", "th"), ("tur", "tr"), ("ukr", "uk"), ("urd", "ur"), ("vie", "vi"), ("yid", "yi"),
            ("zul", "zu"),
        ])
    func languages(code: String, two: String) {
        #expect(LanguageCode.iso6391(code) == two)
        #expect(LanguageCode.iso6391(code.uppercased()) == two)
    }

    @Test(
        "a region, a script or a variant does not change the language",
        arguments: [
            ("pt-BR", "pt"), ("pt_PT", "pt"), ("zh-Hant-TW", "zh"), ("en-US", "en"), ("sr-Latn", "sr"), ("de-DE", "de"),
        ])
    func regions(tag: String, code: String) {
        #expect(LanguageCode.iso6391(tag) == code)
    }

    @Test(
        "codes that ISO has withdrawn are recognized, because catalogs still use them",
        arguments: [("iw", "he"), ("in", "id"), ("ji", "yi"), ("jw", "jv"), ("mo", "ro"), ("scr", "hr"), ("scc", "sr")])
    func withdrawn(old: String, code: String) {
        #expect(LanguageCode.iso6391(old) == code)
    }

    @Test(
        "an invalid code, or a code for several languages, no language or a language without a two-letter code, maps to nothing",
        arguments: [
            "grc", "enm", "ang", "non", "mul", "und", "zxx", "qaa", "", "e", "engl", "English", "12", "-", "e n",
        ])
    func none(code: String) {
        #expect(LanguageCode.iso6391(code) == nil)
    }
}
