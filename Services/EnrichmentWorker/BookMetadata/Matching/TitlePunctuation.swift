/// Uses punctuation to split a full title into main title, subtitle and bracketed text.
enum TitlePunctuation {
    /// Maximum number of parts in a title; the last part contains all further text.
    static let maxPieces = 8
    /// The text between a title and its subtitle.
    private static let separators = [": ", " : ", "：", " - ", " – ", " — ", "―", "--", ":"].map {
        Separator(text: $0, isAlternative: false)
    }
    /// The separators after the main title, which include the words before an alternative title for the same book.
    private static let firstSeparators =
        ["; or, ", ", or, ", "; or ", ", or ", ": or, ", " or, "].flatMap { or in
            ["or", "Or", "ou", "oder", "или"].map {
                Separator(text: or.replacing("or", with: $0), isAlternative: true)
            }
        } + separators

    /// The kinds of punctuation in a string. Once they are known, most separators need not be searched for.
    private struct Marks: OptionSet {
        let rawValue: UInt8

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ text: Substring.UTF8View) {
            var marks: UInt8 = 0
            for byte in text {
                switch byte {
                case UInt8(ascii: ","): marks |= 1
                case UInt8(ascii: ";"): marks |= 2
                case UInt8(ascii: ":"): marks |= 4
                case UInt8(ascii: "-"): marks |= 8
                case 0xE2: marks |= 16
                case 0xEF: marks |= 32
                default: continue
                }
            }
            rawValue = marks
        }
    }

    private struct Separator {
        let text: String
        let isAlternative: Bool
        let marks: Marks

        init(text: String, isAlternative: Bool) {
            (self.text, self.isAlternative, marks) = (text, isAlternative, Marks(text[...].utf8))
        }
    }
    private static let brackets: [Character: Character] = ["(": ")", "[": "]", "{": "}", "（": "）", "【": "】"]

    /// Whether a bracket after which the title continues is a word of the title: "How to Be a (Young) Antiracist".
    private static func isInside(_ group: String?) -> Bool {
        let words = MatchKey.words(group ?? "")
        return words.count == 1 && words[0].utf8.count > 2 && PrintingWords.unfamiliar(words) == words
    }

    /// A title without its brackets, and the contents of the brackets; a bracketed word inside a title stays in it. A title that has an unclosed
    /// bracket, or nothing outside its brackets, is not taken apart.
    static func separatingBrackets(_ title: String) -> (line: String, groups: [String]) {
        guard title.utf8.contains(where: isBracketByte) else { return (title[...].singleSpaced, []) }
        var kept = ""
        var groups: [String] = []
        var closing: [Character] = []
        for index in title.indices {
            let character = title[index]
            if let close = brackets[character] {
                if closing.isEmpty { groups.append("") } else { groups[groups.count - 1].append(" ") }
                closing.append(close)
            } else if character == closing.last {
                closing.removeLast()
                let rest = title[index...].dropFirst()
                if closing.isEmpty, rest.first == " ", rest.dropFirst().first?.isLetter == true, isInside(groups.last) {
                    kept += groups.removeLast()
                }
            } else if closing.isEmpty {
                kept.append(character)
            } else {
                groups[groups.count - 1].append(character)
            }
        }
        let line = kept[...].singleSpaced
        return line.isEmpty || !closing.isEmpty ? (title[...].singleSpaced, []) : (line, groups)
    }

    /// Whether a byte is an opening bracket or may be the first byte of one; most titles contain no such byte.
    private static func isBracketByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), 0xE3, 0xEF: true
        default: false
        }
    }

    /// Whether a byte may belong to the punctuation in a separator; most titles contain no such byte.
    private static func isSeparatorByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","), UInt8(ascii: ";"), 0xE2, 0xEF: true
        default: false
        }
    }

    /// The sentences in a title; in many languages, those after the first are subtitles. A sentence ends before a capital letter, at a question mark
    /// ("Who Moved My Cheese? An Amazing Way") or at a period that follows a word of more than three letters (unlike "Dr").
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

    /// A title and its translation, as joined by catalogs: "Le Corbeau = The Raven", "Les Heures / The Hours". Nil for other titles: a slash is taken
    /// to separate two works unless their languages differ and a word is the same, or almost the same, in both.
    static func parallelTitles(_ line: String) -> (title: String, translation: String)? {
        let equal = line[...].parts(separatedBy: " = ")
        if equal.count == 2, !equal[0].contains("+") { return (String(equal[0]), String(equal[1])) }
        let halves = line[...].parts(separatedBy: " / ")
        guard halves.count == 2 else { return nil }
        let words = halves.map { MatchKey.words(String($0)) }
        let languages = words.map(TitleWords.languages)
        guard !languages.contains(where: \.isEmpty), languages[0].isDisjoint(with: languages[1]) else { return nil }
        let isTranslation = words[0].contains { word in
            word.utf8.count > 4
                && words[1].contains { TitleWords.areInflected(word, $0) || TitleWords.isSlip(word, $0) }
        }
        return isTranslation ? (String(halves[0]), String(halves[1])) : nil
    }

    /// A title with a colon instead of a bookseller's slash before a description: "Listening to Prozac/a Psychiatrist Explores Antidepressant
    /// Drugs".
    static func subtitleAfterSlash(_ line: String) -> String {
        guard let slash = line.utf8.firstIndex(of: UInt8(ascii: "/")),
            slash == line.utf8.lastIndex(of: UInt8(ascii: "/")),
            line[..<slash].last?.isLetter == true, line[slash...].dropFirst().first?.isLetter == true
        else { return line }
        let words = MatchKey.words(String(line[slash...]))
        guard words.count > 4, SubtitleShape(words) == .descriptive else { return line }
        return line[..<slash] + ": " + line[slash...].dropFirst()
    }

    static func pieces(_ title: String, alternative: inout Bool) -> [String] {
        guard title.utf8.contains(where: isSeparatorByte) else { return [title] }
        var pieces: [String] = []
        var rest = title[...]
        while pieces.count < maxPieces - 1,
            let (range, isAlternative) = firstSeparator(in: rest, of: pieces.isEmpty ? firstSeparators : separators)
        {
            if isAlternative { alternative = true }
            pieces.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [String(rest)]
    }

    /// Whether a dash follows a year that does not begin the title: "A People's History: 1492 - Present".
    private static func isSpan(_ text: Substring, to dash: Substring.Index, _ separator: String) -> Bool {
        guard separator.count == 3, separator != " : " else { return false }
        let year = text[..<dash].reversed().prefix { $0.isASCII && $0.isNumber }.count
        return year == 4 && text.base[..<dash].utf8.count > 4
    }

    private static func firstSeparator(in text: Substring, of separators: [Separator]) -> (
        range: Range<Substring.Index>, isAlternative: Bool
    )? {
        var first: (range: Range<Substring.Index>, isAlternative: Bool)?
        let marks = Marks(text.utf8)
        for separator in separators where marks.isSuperset(of: separator.marks) {
            guard let range = text.firstOccurrence(of: separator.text), range.lowerBound > text.startIndex,
                range.upperBound < text.endIndex, !isSpan(text, to: range.lowerBound, separator.text)
            else { continue }
            if let first,
                first.range.lowerBound < range.lowerBound
                    || (first.range.lowerBound == range.lowerBound && first.range.upperBound >= range.upperBound)
            {
                continue
            }
            first = (range, separator.isAlternative)
        }
        return first
    }
}
