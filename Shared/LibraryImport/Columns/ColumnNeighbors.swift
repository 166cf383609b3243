import BookstrackContract

/// Compares the columns of a file with each other to determine the roles of several date and year columns, and whether the file is about books.
struct ColumnNeighbors {
    /// Roles of date columns, by column index.
    private(set) var dateRoles: [Int: ColumnRole] = [:]
    /// Roles of year columns, by column index.
    private(set) var yearRoles: [Int: ColumnRole] = [:]
    /// Whether a column contains people in reading order.
    let hasPlainPeople: Bool
    /// Whether a column other than the publishers' contains a person in most rows.
    let hasAuthors: Bool
    /// Whether a header, or a column with ISBNs or people, shows that the file is about books.
    let areAboutBooks: Bool
    /// Whether a header names the titles or the authors. In that case, the headers are in a known language, and an unknown header is unlikely to
    /// stand for a rating, a year, a date or further authors.
    let hasTitleHeader: Bool
    /// Whether a header certainly names the date added. In that case, the header `Date` of another column may stand for any date, such as the date of
    /// publication, and is not evidence of a role.
    let hasAddedHeader: Bool

    /// Number of columns.
    var count: Int { profiles.count }

    private let profiles: [ColumnProfile]

    /// - Parameters:
    ///   - hasBookHeader: Whether a header names a property that few things other than books have.
    ///   - hasTitleHeader: Whether a header names the titles or the authors.
    ///   - hasAddedHeader: Whether a header certainly names the date added.
    init(_ profiles: [ColumnProfile], hasBookHeader: Bool, hasTitleHeader: Bool, hasAddedHeader: Bool) {
        self.profiles = profiles
        self.hasTitleHeader = hasTitleHeader
        self.hasAddedHeader = hasAddedHeader
        hasPlainPeople = profiles.contains { $0[.person] > 0.6 && $0[.inverted] < 0.4 && $0.fill > 0.9 }
        hasAuthors = profiles.contains { $0[.person] > 0.6 && $0.fill > 0.9 && $0[.house] < 0.3 }
        areAboutBooks = hasBookHeader || hasAuthors || profiles.contains { $0[.isbn13] + $0[.isbn10] > 0.5 }
        decideYears()
        decideDates()
    }

    // MARK: Years

    /// Assigns roles to the year columns: of two years in the same row, the earlier one is that of the first edition.
    private mutating func decideYears() {
        let columns = profiles.indices.filter { profiles[$0].filled > 0 && profiles[$0][.year] > 0.6 }
        guard let latest = columns.max(by: { isEarlierYear($0, $1) }) else { return }
        for column in columns { yearRoles[column] = column == latest ? .publicationYear : .originalYear }
    }

    private func isEarlierYear(_ one: Int, _ other: Int) -> Bool {
        let sum = zip(profiles[one].years, profiles[other].years).reduce(0) { sum, years in
            guard let first = years.0, let second = years.1 else { return sum }
            return sum + (first - second).signum()
        }
        // Applications store the edition's year more often than the first edition's.
        return sum == 0 ? profiles[one].filled < profiles[other].filled : sum < 0
    }

    // MARK: Dates

    /// Assigns roles to the date columns. Books are published long before they are added; every book has been added, but not every book has been
    /// read; and reading ends after it starts.
    private mutating func decideDates() {
        var columns = profiles.indices.filter {
            profiles[$0].filled > 0 && profiles[$0][.date] + profiles[$0][.dateList] > 0.6
        }
        if columns.count > 1, yearRoles.isEmpty {
            let years = columns.map { meanYear($0) }
            for (column, year) in zip(columns, years) {
                let others = zip(columns, years).filter { $0.0 != column }.map(\.1).min() ?? year
                if year < others - 3, profiles[column].fill > 0.95 { dateRoles[column] = .publicationDate }
            }
            columns.removeAll { dateRoles[$0] != nil }
        }
        let fullest = columns.map { profiles[$0].fill }.max() ?? 0
        let isAlone = columns.count == 1
        let full = columns.filter { profiles[$0].fill >= fullest - 0.005 && profiles[$0][.dateList] < 0.05 }
        if let added = full.min(by: isSoonerAdded), !isAlone || fullest >= 0.98 {
            dateRoles[added] = .dateAdded
            columns.removeAll { $0 == added }
        }
        // Preferred are lists of readings, which contain more information than the last reading, and then columns in which some books have no date,
        // because few readers have read every book.
        let preferred = columns.filter { profiles[$0][.dateList] > 0.05 }
        let partial = columns.filter { !full.contains($0) }
        let candidates = !preferred.isEmpty ? preferred : !partial.isEmpty ? partial : columns
        guard let read = candidates.max(by: isEarlierDate) else { return }
        dateRoles[read] = .dateRead
        if preferred.isEmpty, let started = candidates.filter({ $0 != read }).min(by: isEarlierDate),
            !isSameDate(started, read)
        {
            dateRoles[started] = .dateStarted
        }
    }

    private func meanYear(_ column: Int) -> Int {
        let years = profiles[column].days.compactMap { $0.map { $0 / 10_000 } }
        return years.isEmpty ? 0 : years.reduce(0, +) / years.count
    }

    /// Whether the first column is more likely than the second to be the date added: people remember the month in which they read a book, while
    /// applications record the day.
    private func isSoonerAdded(_ one: Int, _ other: Int) -> Bool {
        let (first, second) = (hasMonthsOnly(one), hasMonthsOnly(other))
        return first == second ? isEarlierDate(one, other) : second
    }

    /// Whether most dates are months or the first day of a month.
    private func hasMonthsOnly(_ column: Int) -> Bool {
        let days = profiles[column].days.compactMap(\.self)
        return 2 * days.count { $0 % 100 <= 1 } > days.count
    }

    private func isEarlierDate(_ one: Int, _ other: Int) -> Bool {
        let sum = difference(one, other)
        return sum == 0 ? one < other : sum < 0
    }

    private func isSameDate(_ one: Int, _ other: Int) -> Bool { difference(one, other) == 0 }

    /// Number of rows in which the first column is later, minus the number of rows in which it is earlier.
    private func difference(_ one: Int, _ other: Int) -> Int {
        zip(profiles[one].days, profiles[other].days).reduce(0) { sum, days in
            guard let first = days.0, let second = days.1 else { return sum }
            return sum + (first - second).signum()
        }
    }
}
