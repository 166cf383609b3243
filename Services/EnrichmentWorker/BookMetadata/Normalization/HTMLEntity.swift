import Foundation

/// Decodes the character references (HTML Living Standard §13.5) used in titles and descriptions. `LibraryImport` has a
/// decoder of its own for cells, because the modules that it shares with this one are for ISBNs, wire types and JSON.
enum HTMLEntity {
    /// Maximum length of a reference in bytes, without `&` and `;`.
    private static let maxNameLength = 10

    private static let named: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "shy": "", "ndash": "–", "mdash": "—",
        "hellip": "…", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„",
        "laquo": "«", "raquo": "»", "lsaquo": "‹", "rsaquo": "›", "bull": "•", "middot": "·", "copy": "©", "reg": "®",
        "trade": "™", "deg": "°", "times": "×", "frac12": "½", "euro": "€", "pound": "£", "cent": "¢", "yen": "¥",
        "sect": "§", "iexcl": "¡", "iquest": "¿", "szlig": "ß", "aelig": "æ", "AElig": "Æ", "oslash": "ø",
        "Oslash": "Ø", "aring": "å", "Aring": "Å", "ccedil": "ç", "Ccedil": "Ç", "ntilde": "ñ", "Ntilde": "Ñ",
        "oelig": "œ", "OElig": "Œ", "eth": "ð", "thorn": "þ", "ordf": "ª", "ordm": "º",
    ]

    /// Accents in names such as `eacute` and `Ouml`, as combining characters.
    private static let accents: [Substring: Unicode.Scalar] = [
        "acute": "\u{301}", "grave": "\u{300}", "circ": "\u{302}", "uml": "\u{308}", "tilde": "\u{303}",
    ]

    /// The text with references replaced; unknown references are left unchanged.
    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = ""
        decoded.reserveCapacity(text.utf8.count)
        var rest = text[...]
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            decoded += rest[..<ampersand]
            let afterAmpersand = rest[rest.utf8.index(after: ampersand)...]
            // The limit is in bytes, because a character may have any number of combining marks.
            let end = afterAmpersand.utf8.prefix(maxNameLength).prefix {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "#")
            }.endIndex
            if afterAmpersand.utf8[end...].first == UInt8(ascii: ";"),
                let replacement = replacement(for: afterAmpersand[..<end])
            {
                decoded += replacement
                rest = afterAmpersand[afterAmpersand.utf8.index(after: end)...]
            } else {
                decoded.append("&")
                rest = afterAmpersand
            }
        }
        return decoded + rest
    }

    /// - Parameter name: A reference without `&` and `;`; ASCII only.
    private static func replacement(for name: Substring) -> String? {
        if name.first == "#" { return numeric(name.dropFirst()) }
        if let text = named[name] { return text }
        guard let letter = name.first, letter.isLetter, let accent = accents[name.dropFirst()] else { return nil }
        var scalars = String.UnicodeScalarView(String(letter).unicodeScalars)
        scalars.append(accent)
        return String(scalars).precomposedStringWithCanonicalMapping
    }

    private static func numeric(_ digits: Substring) -> String? {
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(scalar(numbered:)).map { String(Character($0)) }
    }

    /// The character for a number; nil if there is none, and for control characters other than tabs and line breaks.
    private static func scalar(numbered value: UInt32) -> Unicode.Scalar? {
        switch value {
        case 9, 10, 13, 32...126, 160...: Unicode.Scalar(value)
        case 128...159: windows1252[Int(value) - 128]
        default: nil
        }
    }

    /// The characters for the numbers from 128 to 159, which are bytes of Windows-1252 rather than control characters; nil if there is none.
    private static let windows1252: [Unicode.Scalar?] = "€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ".unicodeScalars
        .map { $0 == "." ? nil : $0 }
}
