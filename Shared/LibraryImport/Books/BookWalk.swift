package import BookstrackContract

/// What became of a row, or of the rows that are one book.
package enum RowOutcome: Sendable {
    case book(ImportedBook)
    case error(ImportRowError)
    case skipped(SkippedRow)
}

/// The walks that read the books.
///
/// A book is handed on at its first row, but its further rows come later in the file. So these are collected first. Where they are more
/// than may be held, the file is read in sections of rows, with two walks each.
struct BookWalk {
    private let table: LibraryTable
    private let reader: RowReader
    private let survey: FileSurvey
    /// The last row of each section.
    private let sections: [Int]
    /// Further rows of the books of a section, joined, by the number of the first row.
    private var further: [Int: ImportedBook] = [:]

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

    /// Hands on every row's outcome in the file's order.
    mutating func run(progress: (Int) throws -> Void, _ body: (RowOutcome) throws -> Void) throws {
        var first = 1
        for last in sections {
            if !survey.firstRow.isEmpty { try collect(booksOf: first...last) }
            try handOn(first...last, progress: progress, body)
            first = last == Int.max ? last : last + 1
        }
    }

    private mutating func collect(booksOf section: ClosedRange<Int>) throws {
        further.removeAll(keepingCapacity: true)
        if let rows = survey.furtherRows {
            for (number, row) in rows { add(row, number: number, section) }
            return
        }
        var (number, walk) = (0, self)
        try table.forEachRow(hasHeader: reader.plan.hasHeader) { row in
            number += 1
            walk.add(row, number: number, section)
        }
        further = walk.further
    }

    /// Joins a further row to those of the same book, if that is in the section.
    private mutating func add(_ row: TableRow, number: Int, _ section: ClosedRange<Int>) {
        guard let first = survey.firstRow[number], section.contains(first),
            case .book(let essence) = reader.essence(row)
        else {
            return
        }
        let book = reader.book(essence, row, number: number, survey.decisions)
        if further[first] == nil {
            further[first] = book
        } else {
            BookMerge.add(book, to: &further[first, default: book])
        }
    }

    private func handOn(
        _ section: ClosedRange<Int>, progress: (Int) throws -> Void, _ body: (RowOutcome) throws -> Void
    ) throws {
        var number = 0
        try table.forEachRow(hasHeader: reader.plan.hasHeader) { row in
            number += 1
            guard section.contains(number) else { return }
            if number.isMultiple(of: 256) { try progress(row.byteEnd) }
            switch reader.essence(row) {
            case .skipped(let reason):
                try body(.skipped(SkippedRow(row: number, lineNumber: row.lineNumber, reason: reason)))
            case .error(let code, let title):
                try body(.error(reader.error(code, title: title, row, number: number)))
            case .book(let essence):
                guard survey.firstRow[number] == nil else { return }
                var book = reader.book(essence, row, number: number, survey.decisions)
                if let further = further[number] { join(further, to: &book) }
                try body(.book(book))
            }
        }
    }

    /// Joins the further rows, which were joined among themselves, to the first.
    private func join(_ further: ImportedBook, to book: inout ImportedBook) {
        BookMerge.add(further, to: &book)
        book.duplicateRows += further.duplicateRows
    }
}
