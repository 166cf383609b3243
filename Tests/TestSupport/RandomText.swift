import Foundation

/// Random strings for tests of parsers.
///
/// The number of inputs for a test is `BOOKSTRACK_FUZZ_INPUTS`, or a default that is small enough for every run.
package enum RandomText {
    package static let inputs = inputs(usually: 300)

    /// The number of inputs for a test that needs a different default.
    package static func inputs(usually usual: Int) -> Int {
        ProcessInfo.processInfo.environment["BOOKSTRACK_FUZZ_INPUTS"].flatMap(Int.init) ?? usual
    }

    private static let unusual: [String] = [
        " ", "  ", "\t", "\n", "\r\n", "\0", "\u{7F}", "\u{A0}", "\u{200B}", "\u{200D}", "\u{202E}", "\u{FEFF}",
        "\u{301}",
        "\u{FFFD}", "\u{10FFFF}", "e\u{301}\u{302}\u{303}", "ß", "ﬁ", "İ", "ı", "Ⅳ", "½", "②", "٣", "१", "九", "第", "巻",
        "上", "Σ", "ς",
        "ё", "й", "ة", "كتاب", "שָׁ", "कि", "한", "👩‍👩‍👧", "🇩🇪", "(", ")", "[", "]", "{", "}", "（", "）", "【", "】", "\"", "'",
        "’", "`", "\\",
        "/", "|", "&", "+", ";", "；", ":", "：", ",", "，", "、", ".", "…", "-", "‐", "–", "—", "#", "%", "%2", "%zz", "=",
        "*", "?", "!",
        "$", "~", "^", "@", "<", ">",
    ]

    /// A string of up to `longest` pieces, each a word, a number, an unusual character or random letters, with or without spaces between them.
    package static func text(of words: [String], longest: Int = 12, using random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...longest, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6: text += words.randomElement(using: &random) ?? ""
            case 6: text += letters(using: &random)
            case 7: text += String(Int.random(in: 0...99_999, using: &random))
            default: text += unusual.randomElement(using: &random) ?? ""
            }
            if Bool.random(using: &random) { text += " " }
        }
        return text
    }

    /// One piece repeated up to 10 kB, which would slow down an inefficient parser.
    package static func repetitive(of words: [String], using random: inout SeededGenerator) -> String {
        let piece = text(of: words, longest: 3, using: &random)
        return piece.isEmpty ? "" : String(repeating: piece, count: max(1, 10_000 / piece.utf8.count))
    }

    /// Three to nine random lowercase consonants.
    package static func letters(using random: inout SeededGenerator) -> String {
        String(
            (0..<Int.random(in: 3...9, using: &random)).map { _ in
                "bcdfghjklmnpqrstwz".randomElement(using: &random) ?? "b"
            })
    }
}

/// A generator that returns the same numbers for the same seed (SplitMix64), so a failing case can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter seed: Mixed before use, so similar seeds start from unrelated states.
    package init(seed: UInt64) { state = Self.mixed(seed &+ 1) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ state: UInt64) -> UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
