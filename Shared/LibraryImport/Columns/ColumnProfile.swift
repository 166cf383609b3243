/// A profile of a column's cells, mostly as fractions of its non-empty cells.
struct ColumnProfile: Sendable {
    /// Number of rows examined.
    private(set) var rows = 0
    /// Number of non-empty cells.
    private(set) var filled = 0
    /// Number of distinct cells.
    private(set) var distinct = 0

    /// For each mark, the fraction of non-empty cells that have it.
    private var shares = [Double](repeating: 0, count: CellTraits.Mark.allCases.count)
    /// Mean of the whole-number cells.
    private(set) var mean = 0.0
    /// Maximum of the numeric cells.
    private(set) var highest = 0.0
    /// Dates as `20210403`, by row; nil if the cell is not a date.
    private(set) var days: [Int?] = []
    /// Years by row; nil if the cell is not a year.
    private(set) var years: [Int?] = []
    /// Fraction of whole numbers that differ from the previous one by 1.
    private(set) var running = 0.0
    /// Fraction of whole numbers that are higher than the previous one.
    private var rising = 0.0
    private(set) var meanWords = 0.0

    /// The fraction of non-empty cells with a mark.
    subscript(mark: CellTraits.Mark) -> Double { shares[mark.rawValue] }
    /// Fraction of rows with a non-empty cell.
    var fill: Double { rows == 0 ? 0 : Double(filled) / Double(rows) }
    /// Whether the cells number the rows: distinct whole numbers that only increase, or that count up or down.
    var isNumbering: Bool { filled >= 3 && self[.integer] == 1 && variety == 1 && (rising == 1 || running > 0.5) }
    /// The number of distinct cells as a fraction of the non-empty cells.
    var variety: Double { filled == 0 ? 0 : Double(distinct) / Double(filled) }

    /// Whether most cells are yes or no, or dates.
    var isFlag: Bool { self[.flag] > 0.8 || self[.date] > 0.5 }

    /// Creates the profile of a column in these rows.
    init(column: Int, of rows: some Sequence<[String]>) {
        var memory = CellTraits.Memory()
        self.init(rows.map { memory.traits(of: column < $0.count ? $0[column] : "") })
    }

    /// Creates the profile of cells in row order; `nil` stands for an empty cell or placeholder.
    init(_ cells: some Sequence<CellTraits?>) {
        var seen: Set<String> = []
        var (sum, integers, words) = (0.0, 0, 0)
        var previous: Double?
        for cell in cells {
            rows += 1
            days.append(cell?.day)
            years.append(cell.flatMap { $0.marks.contains(.year) ? $0.number.map { Int($0) } : nil })
            guard let cell else { continue }
            filled += 1
            seen.insert(cell.value)
            words += cell.words
            for mark in cell.marks { shares[mark.rawValue] += 1 }
            guard let number = cell.number else { continue }
            highest = max(highest, number)
            guard cell.marks.contains(.integer) else { continue }
            sum += number
            integers += 1
            if let previous {
                if abs(number - previous) == 1 { running += 1 }
                if number > previous { rising += 1 }
            }
            previous = number
        }
        distinct = seen.count
        mean = integers == 0 ? 0 : sum / Double(integers)
        running = integers < 3 ? 0 : running / Double(integers - 1)
        rising = integers < 3 ? 0 : rising / Double(integers - 1)
        guard filled > 0 else { return }
        meanWords = Double(words) / Double(filled)
        shares = shares.map { $0 / Double(filled) }
        // Numbers that become ISBNs only with leading zeros may be any numbers, so they count only if the column also has other ISBN-10s, or has many
        // cells and most of them are such numbers.
        let restored = self[.restoredISBN]
        if self[.isbn10] == restored, filled < 8 || restored < 0.6 { shares[CellTraits.Mark.isbn10.rawValue] = 0 }
    }
}
