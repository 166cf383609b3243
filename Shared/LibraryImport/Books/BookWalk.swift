package import BookstrackContract

/// Outcome of a row, or of several rows with the same book.
package enum RowOutcome: Sendable {
    case book(ImportedBook)
    case error(ImportRowError)
    case skipped(SkippedRow)
}

/// Receives the outcomes of rows, one after another in file order.
protocol RowReceiver: ~Copyable {
    mutating func add(_ book: borrowing ImportedBook) throws
    mutating func add(_ error: ImportRowError) throws
    mutating func add(_ row: SkippedRow) throws
}

/// Reads the books of a file and delivers them in file order.
///
/// A book is delivered when its first row is reached. Its other rows come later in the file, so they are collected beforehand. If the other rows of
/// all books together exceed the memory limit, the books are read in sections, with two passes over the file per section.
struct BookWalk {
    private let table: LibraryTable
    private let reader: RowReader
    private let survey: FileSurvey
    /// Number of the last row of each section.
    private let sections: [Int]
    /// For each book in the section, the rows after its first one, merged into one; keyed by the number of the book's first row.
    private var further: [Int: ImportedBook] = [:]
    private var memories = CellMemories()
    /// Number of books by status.
    private(set) var statuses: [ImportSummary.StatusCount] = []

    init(table: LibraryTable, reader: RowReader, survey: FileSurvey, heldBytes: Int) {
        (self.table, self.reader, self.survey) = (table, reader, survey)
        var (sections, held) = ([Int](), 0)
        for (row, bytes) in survey.furtherBytes.sorted(by: { $0.key < $1.key }) {
            if held > 0, held + bytes > heldBytes {
                sections.append(row - 1)
                held = 0
            }
            held += bytes
        }
        self.sections = sections + [Int.max]
    }

    /// Passes on the outcomes in file order.
    mutating func run(
        into receiver: inout some RowReceiver & ~Copyable, progress: (Int) throws -> Void
    ) throws {
        var first = 1
        for last in sections {
            if !survey.firstRow.isEmpty { try collect(booksOf: first...last) }
            try deliver(first...last, to: &receiver, progress: progress)
            first = last == Int.max ? last : last + 1
        }
    }

    private mutating func collect(booksOf section: ClosedRange<Int>) throws {
        further.removeAll(keepingCapacity: true)
        if let rows = survey.furtherRows {
            for (number, row) in rows { row.withCells { add($0, number: number, section) } }
            return
        }
        var number = 0
        let table = table
        try table.forEachRow(hasHeader: reader.plan.hasHeader) { row in
            number += 1
            row.withCells { add($0, number: number, section) }
        }
    }

    /// Collects a row if it is to be merged into an earlier row of this section.
    private mutating func add(_ row: RowCells, number: Int, _ section: ClosedRange<Int>) {
        var fields = IdentifyingFields()
        guard survey.joins[number - 1] == .further, let first = survey.firstRow[number], section.contains(first),
            case .book = kind(of: row, number: number, &fields)
        else { return }
        var book = ImportedBook(row: number, lineNumber: row.lineNumber)
        reader.fill(&book, fields, row, survey.decisions, &memories)
        if further[first] == nil {
            further[first] = book
        } else {
            RowMerge.add(book, to: &further[first, default: book])
        }
    }

    /// Determines the kind of a row and fills in the fields that identify a book, without an ISBN that belongs to another book.
    private func kind(of row: RowCells, number: Int, _ fields: inout IdentifyingFields) -> RowKind {
        if survey.secondHeaders.contains(number) { return .skipped(.repeatedHeader) }
        let kind = reader.kind(of: row, &fields)
        if survey.rowsWithOtherBooksISBN.contains(number) { reader.dropISBN(of: &fields, row) }
        return kind
    }

    private mutating func deliver(
        _ section: ClosedRange<Int>, to receiver: inout some RowReceiver & ~Copyable, progress: (Int) throws -> Void
    ) throws {
        var number = 0
        let table = table
        try table.forEachRow(hasHeader: reader.plan.hasHeader) { row in
            number += 1
            guard section.contains(number) else { return }
            if number.isMultiple(of: 256) { try progress(row.byteEnd) }
            try row.withCells { try deliver($0, number: number, to: &receiver) }
        }
    }

    /// Passes on the outcome of a row; does nothing if the row belongs to an earlier row's book.
    private mutating func deliver(
        _ row: RowCells, number: Int, to receiver: inout some RowReceiver & ~Copyable
    ) throws {
        if number > survey.lastBookRow {
            return try receiver.add(SkippedRow(row: number, lineNumber: row.lineNumber, reason: .totals))
        }
        let join = survey.joins[number - 1]
        guard join != .further else { return }
        var fields = IdentifyingFields()
        switch kind(of: row, number: number, &fields) {
        case .skipped(let reason):
            try receiver.add(SkippedRow(row: number, lineNumber: row.lineNumber, reason: reason))
        case .error(let code, let title):
            try receiver.add(reader.error(code, title: title, row, number: number))
        case .book:
            var book = ImportedBook(row: number, lineNumber: row.lineNumber)
            reader.fill(&book, fields, row, survey.decisions, &memories)
            if join == .first, let further = further[number] { add(further, to: &book) }
            count(book.status)
            try receiver.add(book)
        }
    }

    private mutating func count(_ status: ReadingStatus?) {
        if let place = statuses.firstIndex(where: { $0.status == status }) {
            statuses[place].count += 1
        } else {
            statuses.append(ImportSummary.StatusCount(status: status, count: 1))
        }
    }

    /// Merges the other rows, which have already been merged with each other, into the first row.
    private func add(_ further: ImportedBook, to book: inout ImportedBook) {
        RowMerge.add(further, to: &book)
        book.duplicateRows += further.duplicateRows
    }
}
