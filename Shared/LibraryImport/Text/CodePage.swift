/// The upper half of a single-byte encoding, according to the tables of the Unicode Consortium (MAPPINGS/VENDORS/MICSFT/WINDOWS and
/// MAPPINGS/VENDORS/APPLE).
struct CodePage: Sendable {
    let encoding: TextEncoding
    /// Characters for the bytes 0x80 to 0xFF; U+FFFD for a byte without one.
    let scalars: [Unicode.Scalar]

    private init(_ encoding: TextEncoding, _ characters: String) {
        self.encoding = encoding
        scalars = Array(characters.unicodeScalars)
        precondition(scalars.count == 128, "A code page has 128 characters in its upper half.")
    }

    /// The character for a byte; nil if the code page has none.
    @inline(__always)
    func scalar(_ byte: UInt8) -> Unicode.Scalar? {
        guard byte >= 0x80 else { return Unicode.Scalar(byte) }
        let scalar = scalars[Int(byte - 0x80)]
        return scalar == "\u{FFFD}" ? nil : scalar
    }

    /// The byte for a character outside ASCII; nil if the code page does not have the character. A control character from U+0080 to U+009F becomes
    /// the byte with the same number, because browsers decode bytes without a character in this way (Encoding Standard, "windows-1252").
    func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0x80...0x9F: return UInt8(scalar.value)
        case 0xA0...0xFF where scalars[Int(scalar.value) - 0x80] == scalar: return UInt8(scalar.value)
        case 0...0x7F: return nil
        default: return scalars.firstIndex(of: scalar).map { UInt8($0 + 0x80) }
        }
    }

    static let windows1252 = CodePage(
        .windows1252,
        """
        €\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
        àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """)

    static let windows1250 = CodePage(
        .windows1250,
        """
        €\u{FFFD}‚\u{FFFD}„…†‡\u{FFFD}‰Š‹ŚŤŽŹ\u{FFFD}‘’“”•–—\u{FFFD}™š›śťžź\
        \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """)

    static let windows1251 = CodePage(
        .windows1251,
        """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{FFFD}™љ›њќћџ\
        \u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї\
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
        абвгдежзийклмнопрстуфхцчшщъыьэюя
        """)

    /// Excel for Mac writes this encoding as "CSV (Macintosh)", and older versions as "CSV".
    static let macRoman = CodePage(
        .macRoman,
        """
        ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\
        †°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
        ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ\
        ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
        """)
}
