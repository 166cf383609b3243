/// A run of digits or of letters in a printed date.
struct DateToken {
    enum Kind {
        /// A number and how many digits it was written with.
        case number(Int, digits: Int)
        /// A word in lower case.
        case word(String)
    }

    let kind: Kind
    /// Whether only `-`, `/`, `.` or 年, 月 stands between this token and the one before.
    let followsDateSeparator: Bool

    /// Longest date looked at, in characters.
    private static let longestText = 80

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The month that this word names, in full or by at least three letters ("Sept").
    var month: Int? {
        guard case .word(let word) = kind, word.count >= 3 else { return nil }
        return Self.months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    /// Whether this is a four-digit year.
    var isYear: Bool {
        if case .number(let value, digits: 4) = kind { return (1000...2999).contains(value) }
        return false
    }

    static func tokens(of text: String) -> [DateToken] {
        var tokens: [DateToken] = []
        var rest = Substring(text.prefix(longestText))
        while true {
            let separator = rest.prefix { !isDigit($0) && !isWordLetter($0) }
            rest = rest.dropFirst(separator.count)
            guard let first = rest.first else { return tokens }
            let run = isDigit(first) ? rest.prefix(while: isDigit) : rest.prefix(while: isWordLetter)
            rest = rest.dropFirst(run.count)
            let kind: Kind = isDigit(first) ? .number(Int(run) ?? 0, digits: run.count) : .word(run.lowercased())
            tokens.append(
                DateToken(
                    kind: kind, followsDateSeparator: ["-", "/", ".", "年", "月"].contains(separator)))
        }
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// Letters, except the ideographs that separate year, month and day.
    private static func isWordLetter(_ character: Character) -> Bool {
        character.isLetter && character != "年" && character != "月" && character != "日"
    }
}
