/// The figures of one import. `totalRows` = `booksCreated` + `duplicatesSkipped` + `errorCount` + `skippedRows`.
public struct ImportSummary: Codable, Sendable, Equatable {
    /// Number of books with a particular status.
    public struct StatusCount: Codable, Sendable, Equatable {
        /// The status; absent for books without one.
        public var status: ReadingStatus?
        /// Number of books.
        public var count: Int

        /// Creates a figure.
        public init(status: ReadingStatus?, count: Int) {
            self.status = status
            self.count = count
        }
    }

    /// Number of data rows in the file, without the header.
    public var totalRows: Int
    /// Number of books.
    public var booksCreated: Int
    /// Always 0: an import does not update an existing library.
    public var booksUpdated: Int
    /// Number of rows with the same book as an earlier row.
    public var duplicatesSkipped: Int
    /// Number of rows that could not be read as a book.
    public var errorCount: Int
    /// Number of rows that are not books, such as films in a media list.
    public var skippedRows: Int
    /// Number of books by status; a status that no book has is not listed.
    public var statuses: [StatusCount]
    /// The recognized properties of the file.
    public var source: ImportSource

    /// Creates a summary of an empty file.
    public init(source: ImportSource) {
        totalRows = 0
        booksCreated = 0
        booksUpdated = 0
        duplicatesSkipped = 0
        errorCount = 0
        skippedRows = 0
        statuses = []
        self.source = source
    }

    /// Rows that became a book or were merged into one, out of all rows that were not skipped: `98/100`.
    public var successRate: String { "\(booksCreated + duplicatesSkipped)/\(totalRows - skippedRows)" }
}

/// A row of an imported file that could not be read as a book.
public struct ImportRowError: Codable, Sendable, Equatable {
    /// Why the row could not be read.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// No title, no ISBN and no other identifier. If the row has an invalid ISBN, `error` states what is wrong with that.
        case noTitle = "NO_TITLE"
        /// The title exceeds the length limit.
        case titleTooLong = "TITLE_TOO_LONG"
        /// The title or the author has bytes that are not valid in any encoding that the file could have.
        case undecodable = "UNDECODABLE_TEXT"
        /// The row's quotes cannot be parsed.
        case brokenRow = "BROKEN_ROW"
    }

    /// Number of the data row, from 1.
    public var row: Int
    /// Line of the file at which the row starts, from 1.
    public var lineNumber: Int
    /// Title of the row; empty if unknown.
    public var title: String
    /// The ISBN as written in the file; absent if the row has none.
    public var isbn: String?
    /// The reason in a sentence.
    public var error: String
    /// The reason, as a stable code.
    public var code: Code
    /// The row's cells as written in the file.
    public var raw: RawCells

    /// Creates an error.
    public init(
        row: Int, lineNumber: Int, title: String, isbn: String?, error: String, code: Code, raw: RawCells
    ) {
        self.row = row
        self.lineNumber = lineNumber
        self.title = title
        self.isbn = isbn
        self.error = error
        self.code = code
        self.raw = raw
    }
}

/// A row of an imported file that is not a book.
public struct SkippedRow: Codable, Sendable, Equatable {
    /// Why the row was skipped.
    public enum Reason: String, Codable, Sendable, CaseIterable {
        /// Something other than a book, such as a film.
        case otherMedia
        /// The application marks the row as deleted.
        case deleted
        /// Every cell is empty.
        case empty
        /// A repeated header.
        case repeatedHeader
        /// A comment, or a conflict marker left by a version control system.
        case comment
        /// Totals or averages of the columns, at the end of the file.
        case totals
    }

    /// Number of the data row, from 1.
    public var row: Int
    /// Line of the file at which the row starts, from 1.
    public var lineNumber: Int
    /// Why the row was skipped.
    public var reason: Reason

    /// Creates a skipped row.
    public init(row: Int, lineNumber: Int, reason: Reason) {
        self.row = row
        self.lineNumber = lineNumber
        self.reason = reason
    }
}
