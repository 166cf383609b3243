/// A title taken apart for comparison: brackets with series or edition removed, the subtitle apart.
struct TitleForms {
    /// The title without brackets and subtitle, as written.
    let main: String
    /// Folded words of the main title.
    let mainWords: [String]
    /// Folded words of the subtitle; empty without one.
    let subtitleWords: [String]

    /// Folded words of title and subtitle.
    var allWords: [String] { mainWords + subtitleWords }

    /// What stands between a title and its subtitle.
    private static let separators = [": ", " : ", "：", " - ", " – ", " — ", ":", "; or, ", ", or, ", "; or ", ", or "]

    private static let articles: Set<String> = ["the", "a", "an"]

    private static let brackets: [Character: Character] = ["(": ")", "[": "]", "{": "}", "（": "）", "【": "】"]

    /// Takes a title apart; a subtitle that the provider keeps apart is added to the one in the title.
    init(_ title: String, subtitle: String? = nil) {
        let withoutBrackets = Self.removingBrackets(title)
        let split = Self.splittingSubtitle(withoutBrackets)
        main = split.main
        mainWords = Self.withoutArticle(Self.words(split.main))
        subtitleWords = Self.words(split.subtitle) + Self.words(Self.removingBrackets(subtitle ?? ""))
    }

    /// "The Hunger Games (The Hunger Games, #1)" without its brackets; the title itself when nothing else is left.
    private static func removingBrackets(_ title: String) -> String {
        guard title.utf8.contains(where: isBracketByte) else { return title[...].singleSpaced }
        var kept = ""
        var closing: [Character] = []
        for character in title {
            if let close = brackets[character] {
                closing.append(close)
            } else if character == closing.last {
                closing.removeLast()
            } else if closing.isEmpty {
                kept.append(character)
            }
        }
        let title = title[...].singleSpaced
        let line = kept[...].singleSpaced
        return line.isEmpty || !closing.isEmpty ? title : line
    }

    /// Bytes that begin or are a bracket; most titles have none.
    private static func isBracketByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), 0xE3, 0xEF: true
        default: false
        }
    }

    /// Bytes that a separator has; most titles have none.
    private static func isSeparatorByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","), UInt8(ascii: ";"), 0xE2, 0xEF: true
        default: false
        }
    }

    private static func splittingSubtitle(_ title: String) -> (main: String, subtitle: String) {
        guard title.utf8.contains(where: isSeparatorByte) else { return (title, "") }
        let first = separators.compactMap { title[...].firstOccurrence(of: $0) }
            .filter { $0.lowerBound > title.startIndex && $0.upperBound < title.endIndex }
            .min { $0.lowerBound < $1.lowerBound }
        guard let first else { return (title, "") }
        return (String(title[..<first.lowerBound]), String(title[first.upperBound...]))
    }

    /// One spelling of words that catalogues shorten or vary.
    private static let spellings = ["boxed": "box", "vol": "volume", "pt": "part", "bk": "book"]

    /// Folded words in one spelling, numbers without leading zeros.
    private static func words(_ text: String) -> [String] {
        MatchKey.words(text).map { word in
            guard word.utf8.first == UInt8(ascii: "0") else { return spellings[word] ?? word }
            return VolumeNumbers.withoutLeadingZeros(word)
        }
    }

    /// Drops the article of "The Hobbit" and of "Hobbit, The".
    private static func withoutArticle(_ words: [String]) -> [String] {
        guard words.count > 1 else { return words }
        if articles.contains(words[0]) { return Array(words.dropFirst()) }
        if words[words.count - 1] == "the" { return Array(words.dropLast()) }
        return words
    }
}
