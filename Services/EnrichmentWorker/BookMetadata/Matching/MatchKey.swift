import Foundation

/// Reduces strings to a form without differences in case, diacritics and punctuation (metadata.md "Lookup": letters of every script are kept).
package enum MatchKey {
    /// Replacements for letters that do not decompose into a base letter and an accent, and for variants of Arabic letters.
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
        // Persian words typed on an Arabic keyboard contain the Arabic kaf and yeh.
        "ك": "ک", "ي": "ی", "ى": "ی", "ة": "ه", "\u{640}": "",
    ]

    /// Maximum number of characters read from a text that is not ASCII; a title with its subtitle has at most half as many.
    private static let maxLength = 2_000

    /// The words of a string. Compatibility forms and accents are folded, letters are lower-cased, `&` is treated as "and", and apostrophes are
    /// dropped without separating words. The signs of "C++", "C#" and "A+" are part of the word.
    static func words(_ text: String) -> [String] {
        guard isASCII(text) else { return wordsOfUnicode(text) }
        return phraseOfASCII(text).split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same words, separated by single spaces.
    package static func phrase(_ text: String) -> String {
        guard isASCII(text) else { return wordsOfUnicode(text).joined(separator: " ") }
        return String(decoding: phraseOfASCII(text), as: UTF8.self)
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// The phrase of an ASCII text, the common case, without normalization tables.
    private static func phraseOfASCII(_ text: String) -> [UInt8] {
        var phrase: [UInt8] = []
        phrase.reserveCapacity(text.utf8.count + 4)
        var isBetweenWords = false
        for byte in WordSigns.separated(text).utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if isBetweenWords, !phrase.isEmpty { phrase.append(UInt8(ascii: " ")) }
                isBetweenWords = false
                phrase.append(byte < UInt8(ascii: "A") ? byte : byte | 0x20)
            case UInt8(ascii: "+"), UInt8(ascii: "#"): phrase.append(byte)
            case UInt8(ascii: "'"), UInt8(ascii: "`"): continue
            case UInt8(ascii: "&"):
                phrase += phrase.isEmpty ? Array("and".utf8) : Array(" and".utf8)
                isBetweenWords = true
            default: isBetweenWords = true
            }
        }
        return phrase
    }

    /// Greek and Cyrillic letters that look like Latin letters; some catalogs have them inside Latin words.
    private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
        "α": "a", "ε": "e", "ι": "i", "κ": "k", "ο": "o", "υ": "y", "а": "a", "в": "b", "е": "e", "к": "k", "м": "m",
        "н": "h", "о": "o", "р": "p", "с": "c", "т": "t", "у": "y", "х": "x",
    ]

    /// Replaces the lookalikes in a word that also contains Latin letters.
    private static func inOneScript(_ word: String) -> String {
        guard word.utf8.contains(where: { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
            word.unicodeScalars.contains(where: { lookalikes[$0] != nil })
        else { return word }
        return String(String.UnicodeScalarView(word.unicodeScalars.map { lookalikes[$0] ?? $0 }))
    }

    /// A string with a space before each fraction: "10½ Chapters" has ten and a half chapters, not 101 halves.
    private static func parted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isFraction) else { return text }
        var parted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isFraction(scalar) { parted.append(" ") }
            parted.append(scalar)
        }
        return String(parted)
    }

    private static func isFraction(_ scalar: Unicode.Scalar) -> Bool {
        (0xBC...0xBE).contains(scalar.value) || (0x2150...0x215E).contains(scalar.value)
    }

    private static func wordsOfUnicode(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        let decomposed = parted(text.cut(to: maxLength)).decomposedStringWithCompatibilityMapping
        for scalar in WordSigns.separated(decomposed.lowercased()).unicodeScalars {
            if scalar.isFoldedMark || scalar.isApostrophe { continue }
            if let letters = replacements[scalar] {
                word += letters
            } else if !scalar.isASCII, scalar.properties.numericType == .decimal,
                let value = scalar.properties.numericValue
            {
                word += String(Int(value))
            } else if scalar.isWordLetter || scalar.isWordMark || WordSigns.isSign(scalar) {
                word.unicodeScalars.append(scalar)
            } else {
                if !word.isEmpty { words.append(inOneScript(word)) }
                word = ""
                if scalar == "&" { words.append("and") }
            }
        }
        if !word.isEmpty { words.append(inOneScript(word)) }
        return words
    }
}

extension Unicode.Scalar {
    /// Whether this character is a Latin, Greek or Cyrillic accent, a Hebrew point or an Arabic short vowel. In other scripts, marks are part of the
    /// letter: without them, Hindi or Japanese words become different words.
    fileprivate var isFoldedMark: Bool {
        switch value {
        case 0x300...0x36F, 0x483...0x487, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670: true
        default: false
        }
    }

    /// Whether this is a mark inside a word.
    fileprivate var isWordMark: Bool {
        properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
    }

    fileprivate var isApostrophe: Bool {
        switch value {
        // The last range contains transliteration marks: "Malʹsagov", "Qurʾan".
        case 0x27, 0x60, 0x2018, 0x2019, 0x2B9...0x2BF: true
        default: false
        }
    }
}
