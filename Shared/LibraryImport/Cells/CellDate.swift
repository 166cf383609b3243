/// A day, month or year as written by applications and people.
package struct CellDate: Equatable, Sendable {
    /// The order of day and month in dates such as `03/04/2021`.
    package enum Order: String, Codable, Sendable {
        case dayFirst, monthFirst
    }

    package let year: Int
    package let month: Int?
    package let day: Int?

    /// Reads a single date; nil for anything else, for marks that stand for an unknown date, and for an ambiguous date if no order is given.
    package init?(_ cell: String, order: Order?) {
        guard case .date(let date) = Self.read(cell, order: order) else { return nil }
        self = date
    }

    /// Creates a date from year, month and day; nil if there is no such date, or if the year is outside 1000–2200.
    init?(year: Int, month: Int?, day: Int?) {
        guard (1_000...2_200).contains(year), (1...12).contains(month ?? 1) else { return nil }
        if let day {
            guard let month, (1...Self.days(of: month, in: year)).contains(day) else { return nil }
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// ISO 8601: `2021-04-03`, `2021-04` or `2021`.
    package var iso: String {
        guard let month else { return String(year) }
        guard let day else { return "\(year)-\(Self.twoDigits(month))" }
        return String(unsafeUninitializedCapacity: 10) { bytes in
            (bytes[0], bytes[1]) = (Self.ascii(year / 1_000), Self.ascii(year / 100))
            (bytes[2], bytes[3]) = (Self.ascii(year / 10), Self.ascii(year))
            (bytes[4], bytes[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
            (bytes[5], bytes[6]) = (Self.ascii(month / 10), Self.ascii(month))
            (bytes[8], bytes[9]) = (Self.ascii(day / 10), Self.ascii(day))
            return 10
        }
    }

    private static func ascii(_ digit: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(digit % 10) }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    // MARK: Reading

    /// The parsed value of a cell in a date column.
    package enum Reading: Equatable, Sendable {
        case none
        case date(CellDate)
        /// Day and month cannot be distinguished.
        case ambiguous(year: Int)
        case unreadable

        /// The date in ISO 8601, only the year of an ambiguous one; nil without a date.
        var day: String? {
            switch self {
            case .date(let date): date.iso
            case .ambiguous(let year): String(year)
            case .none, .unreadable: nil
            }
        }
    }

    /// Reads a cell in a date column.
    package static func read(_ cell: String, order: Order?) -> Reading { CellBytes.of(cell) { read($0, order: order) } }

    static func read(_ cell: CellBytes, order: Order?) -> Reading {
        if cell.isEmpty { return .none }
        if let date = cell.day { return .date(date) }
        let text = CellText.value(cell)
        if text.isEmpty { return .none }
        if let date = CellBytes.of(text, { $0.day }) { return .date(date) }
        let parts = DateParts(text)
        if parts.isUnknownDate { return .none }
        return parts.reading(order)
    }

    /// The order that follows from a date such as `13/04/2021`, in which exactly one of the first two numbers is above 12; nil for any other cell.
    package static func order(provenBy cell: String) -> Order? { CellBytes.of(cell, order(provenBy:)) }

    static func order(provenBy cell: CellBytes) -> Order? {
        guard cell.day == nil, let (first, second) = DateParts(CellText.value(cell)).dayAndMonth else { return nil }
        if first > 12, second <= 12 { return .dayFirst }
        if second > 12, first <= 12 { return .monthFirst }
        return nil
    }
}

/// The numbers and the month name in a date.
private struct DateParts {
    private var numbers: [Int] = []
    private var widths: [Int] = []
    private var month: Int?
    private var hasDots = false
    private var isDate = true

    /// Maximum length of a date in bytes.
    private static let longest = 64

    init(_ text: String) {
        guard text.utf8.count <= Self.longest else {
            isDate = false
            return
        }
        hasDots = text.utf8.contains(UInt8(ascii: "."))
        var end = text.startIndex
        for part in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            if numbers.count + (month == nil ? 0 : 1) == 3 {
                if !Self.isTime(text[end...]) { isDate = false }
                return
            }
            take(part)
            end = part.endIndex
        }
    }

    /// Whether the text after a date can be ignored: it is the time of day, as in `2021-04-03 12:30`; it contains no digits; or it is a remark that
    /// is set apart from the date and contains no other date. Anything else makes the cell a period or a list.
    private static func isTime(_ text: Substring) -> Bool {
        let parts = text.split { !$0.isLetter && !$0.isNumber }
        if parts.contains(where: { $0.utf8.count == 4 && (1_000...2_200).contains(Int($0) ?? 0) }) { return false }
        if text.contains(":") || !text.contains(where: \.isNumber) { return true }
        let isApart = text.prefix { !$0.isLetter && !$0.isNumber }.allSatisfy { " ,([#".contains($0) }
        let date = parts.first { $0.contains(where: \.isNumber) || MonthNames.month($0.lowercased()) != nil }
        return isApart
            && DateParts(String(text[(date?.startIndex ?? text.endIndex)...])).reading(.dayFirst) == .unreadable
    }

    private mutating func take(_ part: Substring) {
        let digits = part.prefix { $0.isASCII && $0.isNumber }
        let word = part[digits.endIndex...]
        if let number = Int(digits), digits.utf8.count <= 8 {
            // `3rd`, `2021年`, `20210403T…`.
            numbers.append(number)
            widths.append(digits.utf8.count)
            if word.isEmpty || Self.ordinals.contains(word.lowercased()) { return }
        }
        if let named = MonthNames.month(word.lowercased()) {
            month = month ?? named
        } else if digits.isEmpty, !Self.fillers.contains(word.lowercased()) {
            isDate = false
        } else if !digits.isEmpty, word.first?.isASCII == true, word.first != "T" {
            isDate = false
        } else if !digits.isEmpty {
            for piece in word.split(whereSeparator: { !$0.isNumber }) where numbers.count < 3 { take(piece) }
        }
    }

    private static let ordinals: Set<String> = ["st", "nd", "rd", "th", "er", "º", "ª", "年", "月", "日", "г"]
    private static let fillers: Set<String> = [
        "of", "de", "del", "di", "the", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday",
        "wednesday",
        "thursday", "friday", "saturday", "sunday", "at", "г", "года",
    ]

    /// Whether this is a date such as `0101-01-01` or `0000-00-00`, which some applications write for an unknown date.
    var isUnknownDate: Bool {
        isDate && numbers.count >= 2 && widths.first == 4 && (numbers.first ?? 0) <= 101
            && numbers.dropFirst().allSatisfy { $0 <= 1 }
    }

    /// The first two of three numbers, if the year is last.
    var dayAndMonth: (first: Int, second: Int)? {
        guard isDate, month == nil, numbers.count == 3, widths[0] <= 2, widths[1] <= 2 else { return nil }
        return (numbers[0], numbers[1])
    }

    func reading(_ order: CellDate.Order?) -> CellDate.Reading {
        guard isDate else { return .unreadable }
        if let month { return named(month) }
        if let (first, second) = dayAndMonth { return lastIsYear(first, second, order) }
        let date: CellDate? =
            switch numbers.count {
            case 1 where widths[0] == 4: CellDate(year: numbers[0], month: nil, day: nil)
            case 1 where widths[0] == 8:
                CellDate(year: numbers[0] / 10_000, month: numbers[0] / 100 % 100, day: numbers[0] % 100)
            case 1 where widths[0] == 5: Self.spreadsheetDay(numbers[0])
            case 2 where widths[0] == 4: CellDate(year: numbers[0], month: numbers[1], day: nil)
            case 2 where widths[1] == 4: CellDate(year: numbers[1], month: numbers[0], day: nil)
            case 3 where widths[0] == 4: CellDate(year: numbers[0], month: numbers[1], day: numbers[2])
            default: nil
            }
        return date.map(CellDate.Reading.date) ?? .unreadable
    }

    private func named(_ month: Int) -> CellDate.Reading {
        let date: CellDate? =
            switch numbers.count {
            case 1 where widths[0] == 4: CellDate(year: numbers[0], month: month, day: nil)
            case 2 where widths[0] == 4: CellDate(year: numbers[0], month: month, day: numbers[1])
            case 2: CellDate(year: fullYear(1), month: month, day: numbers[0])
            default: nil
            }
        return date.map(CellDate.Reading.date) ?? .unreadable
    }

    private func lastIsYear(_ first: Int, _ second: Int, _ order: CellDate.Order?) -> CellDate.Reading {
        let year = fullYear(2)
        let dayFirst = CellDate(year: year, month: second, day: first)
        let monthFirst = CellDate(year: year, month: first, day: second)
        // Dates with dots have the day first.
        switch hasDots ? .dayFirst : order {
        case .dayFirst: return (dayFirst ?? monthFirst).map(CellDate.Reading.date) ?? .unreadable
        case .monthFirst: return (monthFirst ?? dayFirst).map(CellDate.Reading.date) ?? .unreadable
        case nil:
            guard let dayFirst, let monthFirst, dayFirst != monthFirst else {
                return (dayFirst ?? monthFirst).map(CellDate.Reading.date) ?? .unreadable
            }
            return .ambiguous(year: year)
        }
    }

    /// The year at an index; a two-digit year from 70 onwards belongs to the 20th century, and a lower one to the 21st.
    private func fullYear(_ index: Int) -> Int {
        guard widths[index] <= 2 else { return numbers[index] }
        return numbers[index] + (numbers[index] < 70 ? 2_000 : 1_900)
    }

    /// The date of a spreadsheet's day number, which counts from 1899-12-30; limited to 1954–2064, so that other numbers are not taken for dates.
    private static func spreadsheetDay(_ serial: Int) -> CellDate? {
        guard (20_000...60_000).contains(serial) else { return nil }
        // Converts days since 1970-01-01 to a civil date, using Howard Hinnant's civil_from_days.
        let days = serial - 25_569 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return CellDate(year: year, month: month, day: dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

/// Month names and their abbreviations in the vocabulary's languages.
private enum MonthNames {
    private static let months: [String: Int] = {
        var months: [String: Int] = [:]
        for fields in EmbeddedTable.rows(of: PackageResources.MonthNames_tsv) {
            guard let number = fields.first.flatMap({ Int($0) }) else { continue }
            for name in fields.dropFirst() { months[name] = number }
        }
        return months
    }()

    static func month(_ word: String) -> Int? { word.isEmpty ? nil : months[word] }
}
