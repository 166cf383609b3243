/// The marks that part a title from its subtitle and from what stands in brackets.
enum TitlePunctuation {
    /// No title has more parts; what looks like further ones stays in the last.
    static let mostPieces = 8
    /// What stands between a title and its subtitle.
    private static let separators = [": ", " : ", "：", " - ", " – ", " — ", "―", "--", ":"]
    /// What stands before another title of the same book.
    private static let alternatives = ["; or, ", ", or, ", "; or ", ", or ", ": or, ", " or, "].flatMap { or in
        ["or", "Or", "ou", "oder", "или"].map { or.replacing("or", with: $0) }
    }
    private static let brackets: [Character: Character] = ["(": ")", "[": "]", "{": "}", "（": "）", "【": "】"]

    /// A title without its brackets, and what stands in them; brackets inside a title belong to it.
    static func separatingBrackets(_ title: String) -> (line: String, groups: [String]) {
        guard title.utf8.contains(where: isBracketByte) else { return (title[...].singleSpaced, []) }
        var kept = ""
        var groups: [String] = []
        var closing: [Character] = []
        for character in title {
            if let close = brackets[character] {
                if closing.isEmpty { groups.append("") } else { groups[groups.count - 1].append(" ") }
                closing.append(close)
            } else if character == closing.last {
                closing.removeLast()
            } else if closing.isEmpty {
                kept.append(character)
            } else {
                groups[groups.count - 1].append(character)
            }
        }
        let line = kept[...].singleSpaced
        return line.isEmpty || !closing.isEmpty ? (title[...].singleSpaced, []) : (line, groups)
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

    /// Sentences of a title: a full stop after a word stands before a subtitle in many languages, one after "Dr" does not. So does the
    /// end of a question: "Who Moved My Cheese? An Amazing Way".
    static func sentences(_ text: String) -> [String] {
        if let end = text[...].firstOccurrence(of: "? "), text[end.upperBound...].first?.isUppercase == true {
            return [String(text[..<end.lowerBound]), String(text[end.upperBound...])]
        }
        guard text.utf8.contains(UInt8(ascii: ".")) else { return [text] }
        var sentences: [String] = []
        var rest = text[...]
        var searched = rest
        while let stop = searched.firstOccurrence(of: ". ") {
            let word = rest[..<stop.lowerBound].reversed().prefix { $0.isLetter }
            searched = searched[stop.upperBound...]
            guard word.count > 3, searched.first?.isUppercase == true else { continue }
            sentences.append(String(rest[..<stop.lowerBound]))
            rest = searched
        }
        return sentences + [String(rest)]
    }

    static func pieces(_ title: String, alternative: inout Bool) -> [String] {
        guard title.utf8.contains(where: isSeparatorByte) else { return [title] }
        var pieces: [String] = []
        var rest = title[...]
        while pieces.count < mostPieces - 1,
            let (range, separator) = firstSeparator(
                in: rest, of: pieces.isEmpty ? alternatives + separators : separators)
        {
            if pieces.isEmpty, alternatives.contains(separator) { alternative = true }
            pieces.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [String(rest)]
    }

    /// Whether a dash stands after a year inside a title: "1492 - Present".
    private static func isSpan(_ text: Substring, to dash: Substring.Index, _ separator: String) -> Bool {
        guard separator.count == 3, separator != " : " else { return false }
        let year = text[..<dash].reversed().prefix { $0.isASCII && $0.isNumber }.count
        return year == 4 && text.base[..<dash].utf8.count > 4
    }

    private static func firstSeparator(in text: Substring, of separators: [String]) -> (
        range: Range<Substring.Index>, separator: String
    )? {
        var first: (range: Range<Substring.Index>, separator: String)?
        for separator in separators {
            guard let range = text.firstOccurrence(of: separator), range.lowerBound > text.startIndex,
                range.upperBound < text.endIndex, !isSpan(text, to: range.lowerBound, separator)
            else { continue }
            if let first,
                first.range.lowerBound < range.lowerBound
                    || (first.range.lowerBound == range.lowerBound && first.range.upperBound >= range.upperBound)
            {
                continue
            }
            first = (range, separator)
        }
        return first
    }
}
