import BookstrackContract

/// The first pass over a file: finds rows with the same book, and determines the properties that depend on the whole file.
struct FileSurvey {
    /// Number of data rows.
    private(set) var rows = 0
    private(set) var books = 0
    private(set) var errors = 0
    private(set) var skipped = 0
    private(set) var decisions = FileDecisions()
    /// How each row is merged with other rows.
    private(set) var joins: [RowJoin] = []
    /// For each row with the same book as an earlier row: the number of the first row with that book, from 1.
    private(set) var firstRow: [Int: Int] = [:]
    /// Numbers of the rows whose ISBN belongs to a different book in an earlier row.
    private(set) var rowsWithOtherBooksISBN: Set<Int> = []
    /// Numbers of the rows that can only be headers and fit the columns, although perhaps with other words than the first header.
    private(set) var secondHeaders: Set<Int> = []
    /// For the first row of each book with several rows: the total size in bytes of the cells of the book's other rows.
    private(set) var furtherBytes: [Int: Int] = [:]
    /// The other rows of books with several rows, and their numbers; nil if they exceed the memory limit.
    private(set) var furtherRows: [(number: Int, row: TableRow)]? = []

    /// The rows at the end that contain totals; if another row follows them, they are ordinary rows.
    private var totals: [TableRow] = []
    /// Maximum number of rows with totals.
    private static let maxTotals = 16
    /// Number of the last row that may be a book; the rows after it contain totals.
    var lastBookRow: Int { rows - totals.count }

    private let reader: RowReader
    private let heldBytes: Int
    private var bytesOfFurtherRows = 0
    private var duplicates: DuplicateIndex
    private var (dayFirst, monthFirst) = (0, 0)
    private var highestRating = 0.0

    private init(reader: RowReader, heldBytes: Int) {
        (self.reader, self.heldBytes) = (reader, heldBytes)
        duplicates = DuplicateIndex(isOwnFormat: reader.isOwnFormat)
    }

    /// Makes a pass over the file.
    ///
    /// - Parameters:
    ///   - heldBytes: Maximum size in bytes of the rows kept in memory.
    ///   - progress: Called with the number of bytes read.
    static func of(_ table: LibraryTable, _ reader: RowReader, heldBytes: Int, progress: (Int) throws -> Void) throws
        -> FileSurvey
    {
        var survey = FileSurvey(reader: reader, heldBytes: heldBytes)
        try table.forEachRow(hasHeader: reader.plan.hasHeader) { row in
            let isHeader = table.shape.kind == .delimited && row.withCells(reader.isHeader)
            if isHeader, !row.withCells(reader.fitsColumns) {
                throw LibraryFileFault.otherHeader(line: row.lineNumber)
            }
            survey.take(row, isHeader: isHeader)
            if survey.rows.isMultiple(of: 256) { try progress(row.byteEnd) }
        }
        survey.rows += survey.totals.count
        survey.skipped += survey.totals.count
        survey.joins += survey.totals.map { _ in .none }
        survey.decide()
        return survey
    }

    private mutating func take(_ row: TableRow, isHeader: Bool) {
        if totals.count < Self.maxTotals, row.withCells(reader.isTotals) {
            totals.append(row.compact)
            return
        }
        if !totals.isEmpty {
            for total in totals { total.withCells { take($0, of: total) } }
            totals = []
        }
        if isHeader { secondHeaders.insert(rows + 1) }
        row.withCells { take($0, of: row) }
    }

    private mutating func take(_ cells: RowCells, of row: TableRow) {
        rows += 1
        joins.append(.none)
        if secondHeaders.contains(rows) {
            skipped += 1
            return
        }
        let columns = reader.columns
        let position = columns.position.map { reader.line(cells, $0) }
        let subtitle = columns.subtitle.map { reader.line(cells, $0) }
        if let keys = reader.quickKeys(of: cells, position: position, subtitle: subtitle) {
            join(keys, row)
        } else {
            var book = IdentifyingFields()
            switch reader.kind(of: cells, &book) {
            case .skipped:
                skipped += 1
                return
            case .error:
                errors += 1
                return
            case .book: break
            }
            // Titles in the suite's own file do not include the series.
            if reader.isOwnFormat {
                book.series = columns.series.map { ImportedSeries(name: reader.line(cells, $0), position: position) }
            }
            join(RowKeys(book, position: position, subtitle: subtitle), row)
        }
        observe(cells)
    }

    /// Records whether the newest row has the same book as an earlier row.
    private mutating func join(_ keys: RowKeys, _ row: TableRow) {
        let place = duplicates.add(row: rows, keys)
        if place.hasOtherBooksISBN { rowsWithOtherBooksISBN.insert(rows) }
        guard let first = place.first else {
            books += 1
            return
        }
        firstRow[rows] = first
        (joins[rows - 1], joins[first - 1]) = (.further, .first)
        furtherBytes[first, default: 0] += row.bytes.count
        bytesOfFurtherRows += row.size
        if bytesOfFurtherRows <= heldBytes { furtherRows?.append((rows, row.compact)) } else { furtherRows = nil }
    }

    /// Collects the facts that determine the date order and the rating scale.
    private mutating func observe(_ row: RowCells) {
        if reader.plan.description?.dateOrder == nil {
            for column in reader.columns.dates where !row.isEmpty(column.index) {
                switch CellDate.order(provenBy: reader.cell(row, column)) {
                case .dayFirst: dayFirst += 1
                case .monthFirst: monthFirst += 1
                case nil: break
                }
            }
        }
        if reader.plan.description?.ratingScale == nil, let column = reader.columns.rating, !row.isEmpty(column.index) {
            highestRating = max(highestRating, CellRating.plainNumber(reader.cell(row, column)) ?? 0)
        }
    }

    private mutating func decide() {
        let description = reader.plan.description
        let ratings = reader.columns.rating.map { reader.plan.columns[$0.index].header } ?? ""
        decisions.ratingScale = description?.ratingScale ?? CellRating.scale(header: ratings, highest: highestRating)
        if let order = description?.dateOrder {
            decisions.dateOrder = order
        } else if dayFirst != monthFirst {
            decisions.dateOrder = dayFirst > monthFirst ? .dayFirst : .monthFirst
        } else if dayFirst == 0, HeaderVocabulary.isForeign(reader.plan.columns.map { FoldedText.fold($0.header) }) {
            // Of the vocabulary's languages, only English has dates with the month first.
            decisions.dateOrder = .dayFirst
        }
    }
}

/// How a row is merged with other rows of the same book.
enum RowJoin: UInt8 {
    case none
    /// The first of several rows.
    case first
    /// A row that is merged into an earlier row.
    case further
}
