import Glibc

/// Distinguishes single-byte encodings by the letters that the bytes would represent.
///
/// For each language, the letters outside ASCII are listed with their frequencies in hundredths of a percent (published letter frequencies,
/// rounded). The language for which the bytes are most likely determines the encoding. Windows-1252 is the usual case, and is chosen unless another
/// encoding is clearly more likely.
struct LetterStatistics {
    private struct Language {
        let page: CodePage
        let letters: String
        let shares: [Double]
        /// How many times rarer the language is than others, as a natural logarithm.
        var rarity = 0.0
    }

    private static let languages: [Language] = [
        Language(page: .windows1252, letters: "äöüß", shares: [58, 44, 100, 31]),
        Language(
            page: .windows1252, letters: "éèêàçùâîôûëïœ",
            shares: [150, 27, 22, 49, 9, 6, 5, 5, 2, 6, 1, 1, 2]),
        Language(page: .windows1252, letters: "áéíóúñü", shares: [50, 43, 73, 83, 17, 31, 1]),
        Language(
            page: .windows1252, letters: "ãáàâçéêíóôõú", shares: [73, 12, 7, 6, 53, 34, 45, 13, 30, 6, 4, 21]),
        Language(page: .windows1252, letters: "àèéìòù", shares: [64, 26, 5, 3, 5, 17]),
        Language(page: .windows1252, letters: "åäöé", shares: [134, 180, 131, 3]),
        Language(page: .windows1252, letters: "æøåé", shares: [87, 94, 119, 3]),
        Language(
            page: .windows1252, letters: "áæðéíóöþúý", shares: [180, 87, 439, 65, 157, 99, 78, 146, 61, 23], rarity: 3),
        Language(
            page: .windows1250, letters: "ąćęłńóśźż", shares: [99, 40, 111, 182, 20, 85, 66, 6, 83]),
        Language(
            page: .windows1250, letters: "áčďéěíňóřšťúůýž",
            shares: [87, 46, 2, 63, 122, 164, 1, 2, 38, 69, 1, 5, 20, 100, 72]),
        Language(
            page: .windows1250, letters: "áčďéíľĺňóôŕšťúýžä",
            shares: [200, 100, 20, 80, 90, 40, 1, 20, 10, 20, 1, 90, 30, 90, 110, 90, 5]),
        Language(page: .windows1250, letters: "áéíóöőúüű", shares: [340, 390, 50, 100, 80, 80, 30, 60, 20]),
        Language(page: .windows1250, letters: "čćšžđ", shares: [110, 60, 100, 55, 22]),
        Language(page: .windows1250, letters: "ăâîşţ", shares: [410, 100, 120, 160, 100]),
        Language(
            page: .windows1251, letters: "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
            shares: [
                801, 159, 454, 170, 298, 845, 94, 165, 735, 121, 349, 440, 321, 670, 1097, 281, 473, 547, 626, 262, 26,
                97, 48, 144, 73, 36, 4, 190, 174, 32, 64, 201, 4,
            ]),
        Language(
            page: .windows1251, letters: "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
            shares: [
                807, 177, 535, 155, 1, 338, 495, 61, 93, 232, 626, 575, 65, 138, 354, 369, 303, 681, 942, 290, 448, 424,
                535, 336, 28, 119, 83, 141, 76, 56, 177, 93, 248,
            ]),
    ]

    /// How many times more likely than Windows-1252 another code page must be, as a natural logarithm.
    private static let margin = 2.0
    /// Frequency of a letter that a language does not have, but that occurs in names from other languages.
    private static let foreign = 0.002
    /// Frequency of a symbol or an undefined byte.
    private static let symbol = 0.0002

    /// Number of occurrences of each byte from 0x80 to 0xFF.
    private var counts = [Int](repeating: 0, count: 128)
    /// Number of bytes outside ASCII that are next to another one.
    private var neighbors = 0
    private var total = 0
    /// Number of bytes inside words that are letters or apostrophes in Mac Roman, but capital letters or symbols in the other encodings.
    private var macLetters = 0
    /// Number of bytes inside words that are letters in the other encodings, but capital letters or symbols in Mac Roman.
    private var otherLetters = 0

    /// Counts a byte outside ASCII.
    ///
    /// - Parameter hasNeighbor: Whether the previous or the next byte is also outside ASCII.
    mutating func add(_ byte: UInt8, hasNeighbor: Bool) {
        counts[Int(byte & 0x7F)] += 1
        total += 1
        if hasNeighbor { neighbors += 1 }
    }

    /// Adds a byte that is between ASCII letters, of which the second is a small one.
    mutating func add(inWord byte: UInt8) {
        switch byte {
        // á, à, â, ä, ã, å, ç, é, è, ê; ’.
        case 0x87...0x90, 0xD5: macLetters += 1
        // The first four are letters in the code pages of DOS.
        case 0x81...0x84, 0xE0...0xFF: otherLetters += 1
        default: break
        }
    }

    /// The most likely encoding.
    var encoding: TextEncoding {
        guard total > 0 else { return .windows1252 }
        if macLetters > 2 * otherLetters { return .macRoman }
        let all = logLikelihoods(ignoring: Self.isShared)
        // Cyrillic words contain no ASCII letters.
        if neighbors * 2 >= total, all.cyrillic > max(all.western, all.central) { return .windows1251 }
        // A file may contain names in several languages. Letters that Windows-1252 and Windows-1250 share are considered only if the remaining
        // letters do not determine the code page.
        let rest = logLikelihoods { CodePage.windows1252.scalar($0) == CodePage.windows1250.scalar($0) }
        let difference = rest.western - rest.central
        if difference < 0 || (difference < Self.margin && all.western < all.central) { return .windows1250 }
        return .windows1252
    }

    /// The logarithm of the likelihood of each code page's most likely language; that of Windows-1252 is raised by ``margin``.
    private func logLikelihoods(ignoring isIgnored: (UInt8) -> Bool)
        -> (western: Double, central: Double, cyrillic: Double)
    {
        let bytes = counts.indices.filter { counts[$0] > 0 && !isIgnored(UInt8($0 + 0x80)) }
        func likeliest(_ encoding: TextEncoding) -> Double {
            Self.languages.lazy.filter { $0.page.encoding == encoding }
                .map { self.logLikelihood($0, bytes) - $0.rarity }.max() ?? -.infinity
        }
        return (likeliest(.windows1252) + Self.margin, likeliest(.windows1250), likeliest(.windows1251))
    }

    private func logLikelihood(_ language: Language, _ bytes: [Int]) -> Double {
        let total = language.shares.reduce(0, +)
        let letters = Dictionary(uniqueKeysWithValues: zip(language.letters.unicodeScalars, language.shares))
        return bytes.reduce(0) { sum, index in
            let share = share(language.page.scalar(UInt8(index + 0x80)), letters, total)
            return sum + Double(counts[index]) * log(share)
        }
    }

    private func share(_ scalar: Unicode.Scalar?, _ letters: [Unicode.Scalar: Double], _ total: Double) -> Double {
        // Ordinal indicators count as letters but do not occur in words.
        guard let scalar, scalar.properties.isAlphabetic, scalar != "ª", scalar != "º" else { return Self.symbol }
        if let share = letters[scalar] { return max(share / total, Self.foreign) }
        // Capital letters begin names and sentences.
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        if lower.count == 1, let first = lower.first, let share = letters[first] {
            return max(share / total / 8, Self.foreign)
        }
        return Self.foreign
    }

    /// Whether a byte is the same character in all code pages, and therefore no evidence.
    private static func isShared(_ byte: UInt8) -> Bool {
        let western = CodePage.windows1252.scalar(byte)
        return western == CodePage.windows1250.scalar(byte) && western == CodePage.windows1251.scalar(byte)
    }
}
