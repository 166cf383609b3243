/// Reads dates in the formats that providers use: "Sept 2003", "c1998", "June 1st, 2010", "[1986]", timestamps (metadata.md "Mapping").
package enum PublicationDate {
    /// The date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, only as precise as the text allows without ambiguity; `nil` if it contains no year.
    ///
    /// `05/12/2001` may be May or December, so only its year is kept. A decade such as `19--` or `198-` is not a year.
    package static func normalize(_ text: String) -> String? {
        let tokens = DateToken.tokens(of: text)
        guard let yearIndex = tokens.firstIndex(where: \.isYear), case .number(let year, _) = tokens[yearIndex].kind
        else { return nil }
        if let monthDay = monthAndDayAfter(yearIndex, in: tokens) ?? namedMonth(in: tokens)
            ?? numericMonthAndDayBefore(yearIndex, in: tokens)
        {
            return format(year: year, month: monthDay.month, day: monthDay.day)
        }
        return String(year)
    }

    /// The year in a date string; nil if there is none.
    package static func year(_ text: String) -> Int? {
        normalize(text).flatMap { Int($0.prefix(4)) }
    }

    /// A year that a provider sends as a number; negative for BCE. `nil` for 0 and beyond ±9999, so differences between years cannot overflow.
    static func plausible(_ year: Int) -> Int? { year != 0 && (-9_999...9_999).contains(year) ? year : nil }

    private typealias MonthDay = (month: Int, day: Int?)

    /// Month and day after a year that is the first token and is immediately followed by a date separator: `2003-09-01`, `2003/9`, `2003年9月1日`.
    private static func monthAndDayAfter(_ index: Int, in tokens: [DateToken]) -> MonthDay? {
        guard index == 0, let month = number(at: 1, in: tokens, upTo: 12), tokens[1].followsDateSeparator else {
            return nil
        }
        guard let day = number(at: 2, in: tokens, upTo: 31), tokens[2].followsDateSeparator else { return (month, nil) }
        return (month, day)
    }

    /// Month and day of a date with the name of the month: `June 1st, 2010`, `1 June 2010`, `Sept. 2003`.
    private static func namedMonth(in tokens: [DateToken]) -> MonthDay? {
        guard let index = tokens.firstIndex(where: { $0.month != nil }), let month = tokens[index].month else {
            return nil
        }
        return (month, number(at: index + 1, in: tokens, upTo: 31) ?? dayBefore(index, in: tokens))
    }

    /// The day before a month name, skipping an ordinal's ending ("1st of June").
    private static func dayBefore(_ index: Int, in tokens: [DateToken]) -> Int? {
        var index = index - 1
        while index >= 0, case .word(let word) = tokens[index].kind, ["st", "nd", "rd", "th", "of"].contains(word) {
            index -= 1
        }
        return number(at: index, in: tokens, upTo: 31)
    }

    /// Month and day before a year, as in `12/31/2001`, `31.12.2001` or `12/2001`; nil if there are none or their order is ambiguous.
    private static func numericMonthAndDayBefore(_ yearIndex: Int, in tokens: [DateToken]) -> MonthDay? {
        guard tokens[yearIndex].followsDateSeparator, let last = number(at: yearIndex - 1, in: tokens, upTo: 31) else {
            return nil
        }
        guard yearIndex == 2, tokens[1].followsDateSeparator, let first = number(at: 0, in: tokens, upTo: 31) else {
            return yearIndex == 1 && last <= 12 ? (last, nil) : nil
        }
        switch (first <= 12, last <= 12) {
        case (true, false): return (first, last)
        case (false, true): return (last, first)
        case (true, true): return first == last ? (first, last) : nil
        case (false, false): return nil
        }
    }

    private static func number(at index: Int, in tokens: [DateToken], upTo limit: Int) -> Int? {
        guard tokens.indices.contains(index), case .number(let value, let digits) = tokens[index].kind, digits <= 2,
            (1...limit).contains(value)
        else { return nil }
        return value
    }

    private static func format(year: Int, month: Int, day: Int?) -> String {
        let yearAndMonth = "\(year)-\(twoDigits(month))"
        guard let day, day <= daysInMonth(month, of: year) else { return yearAndMonth }
        return "\(yearAndMonth)-\(twoDigits(day))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

/// A run of digits or letters in a date.
struct DateToken {
    enum Kind {
        /// A number, and the number of digits with which it is written.
        case number(Int, digits: Int)
        /// A word in lower case.
        case word(String)
    }

    let kind: Kind
    /// Whether only `-`, `/`, `.`, 年 or 月 separates this token from the previous one.
    let followsDateSeparator: Bool

    /// Maximum number of characters to read.
    private static let maxTextLength = 80

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The month whose English name begins with this word of at least three letters ("Sept"); nil if there is none.
    var month: Int? {
        guard case .word(let word) = kind, word.count >= 3 else { return nil }
        return Self.months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    /// Whether this is a year from 1000 to 2999.
    var isYear: Bool {
        if case .number(let value, digits: 4) = kind { return (1000...2999).contains(value) }
        return false
    }

    static func tokens(of text: String) -> [DateToken] {
        var tokens: [DateToken] = []
        var rest = text.cut(to: maxTextLength)[...]
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

    /// Whether a character is a letter other than the ideographs that separate year, month and day.
    private static func isWordLetter(_ character: Character) -> Bool {
        character.isLetter && character != "年" && character != "月" && character != "日"
    }
}
