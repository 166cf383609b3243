/// A profile of a column's cells, mostly as fractions of its non-empty cells.
package struct ColumnProfile: Sendable {
    /// Number of rows examined.
    package private(set) var rows = 0
    /// Number of non-empty cells.
    package private(set) var filled = 0
    /// Number of distinct cells.
    package private(set) var distinct = 0

    private(set) var isbn13 = 0.0
    private(set) var isbn10 = 0.0
    private(set) var roundedISBN = 0.0
    private(set) var date = 0.0
    private(set) var dateList = 0.0
    private(set) var year = 0.0
    private(set) var integer = 0.0
    private(set) var quarter = 0.0
    private(set) var fraction = 0.0
    private(set) var stars = 0.0
    private(set) var percentage = 0.0
    private(set) var spreadsheetDay = 0.0
    private(set) var status = 0.0
    private(set) var statusList = 0.0
    private(set) var binding = 0.0
    private(set) var language = 0.0
    private(set) var flag = 0.0
    private(set) var person = 0.0
    private(set) var inverted = 0.0
    private(set) var house = 0.0
    private(set) var wordList = 0.0
    private(set) var positions = 0.0
    private(set) var seriesBracket = 0.0
    private(set) var titleWords = 0.0
    private(set) var text = 0.0
    private(set) var long = 0.0
    private(set) var lowerCase = 0.0
    private(set) var address = 0.0
    private(set) var openLibraryWork = 0.0
    private(set) var openLibraryEdition = 0.0
    private(set) var asin = 0.0
    private(set) var volume = 0.0
    /// Mean of the whole-number cells.
    private(set) var mean = 0.0
    /// Maximum of the numeric cells.
    private(set) var highest = 0.0
    private(set) var people = 0.0
    /// Dates as `20210403`, by row; nil if the cell is not a date.
    private(set) var days: [Int?] = []
    /// Years by row; nil if the cell is not a year.
    private(set) var years: [Int?] = []
    /// Fraction of whole numbers that differ from the previous one by 1.
    private(set) var running = 0.0
    /// Fraction of whole numbers that are higher than the previous one.
    private var rising = 0.0
    private(set) var meanLength = 0.0
    private(set) var meanWords = 0.0

    /// Fraction of rows with a non-empty cell.
    package var fill: Double { rows == 0 ? 0 : Double(filled) / Double(rows) }
    /// Whether the cells number the rows: distinct whole numbers that only increase, or that count up or down.
    var isNumbering: Bool { filled >= 3 && integer == 1 && variety == 1 && (rising == 1 || running > 0.5) }
    /// Fraction of distinct cells.
    package var variety: Double { filled == 0 ? 0 : Double(distinct) / Double(filled) }

    /// Whether most cells are yes or no, or dates.
    var isFlag: Bool { flag > 0.8 || date > 0.5 }

    /// Creates the profile of a column in these rows.
    init(column: Int, of rows: some Sequence<[String]>) {
        var memory = CellTraits.Memory()
        self.init(rows.map { memory.traits(of: column < $0.count ? $0[column] : "") })
    }

    /// Creates the profile of cells in row order; `nil` stands for an empty cell or placeholder.
    init(_ cells: some Sequence<CellTraits?>) {
        var seen: Set<String> = []
        var counts = [Int](repeating: 0, count: CellTraits.Marks.RawValue.bitWidth)
        var (sum, integers, length, words) = (0.0, 0, 0, 0)
        var previous: Double?
        for cell in cells {
            rows += 1
            days.append(cell?.day)
            years.append(cell.flatMap { $0.marks.contains(.year) ? $0.number.map { Int($0) } : nil })
            guard let cell else { continue }
            filled += 1
            seen.insert(cell.value)
            length += cell.length
            words += cell.words
            var marks = cell.marks.rawValue
            while marks != 0 {
                counts[marks.trailingZeroBitCount] += 1
                marks &= marks - 1
            }
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
        (meanLength, meanWords) = (Double(length) / Double(filled), Double(words) / Double(filled))
        let cells = Double(filled)
        setShares { Double(counts[$0.rawValue.trailingZeroBitCount]) / cells }
    }

    private mutating func setShares(_ share: (CellTraits.Marks) -> Double) {
        isbn13 = share(.isbn13)
        // Numbers that become ISBNs only with leading zeros may be any numbers, so they count only if the column also has other ISBN-10s, or has many
        // cells and most of them are such numbers.
        let restored = share(.restoredISBN)
        isbn10 = share(.isbn10) == restored && (filled < 8 || restored < 0.6) ? 0 : share(.isbn10)
        roundedISBN = share(.roundedISBN)
        (date, dateList, year) = (share(.date), share(.dateList), share(.year))
        (integer, quarter, fraction) = (share(.integer), share(.quarter), share(.fraction))
        (stars, status, statusList) = (share(.stars), share(.status), share(.statusList))
        (binding, language, flag) = (share(.binding), share(.language), share(.flag))
        (person, people, inverted, house) = (share(.person), share(.people), share(.inverted), share(.house))
        (wordList, positions, seriesBracket) = (share(.wordList), share(.positions), share(.seriesBracket))
        (titleWords, text, long) = (share(.titleWords), share(.text), share(.long))
        (lowerCase, address) = (share(.lowerCase), share(.address))
        (openLibraryWork, openLibraryEdition) = (share(.openLibraryWork), share(.openLibraryEdition))
        (asin, volume) = (share(.asin), share(.volume))
        (percentage, spreadsheetDay) = (share(.percentage), share(.spreadsheetDay))
    }
}
