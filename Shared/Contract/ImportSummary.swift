/// The figures of one import. `totalRows` = `booksCreated` + `duplicatesSkipped` + `errorCount` + `skippedRows`.
public struct ImportSummary: Codable, Sendable, Equatable {
    /// Number of books with one status.
    public struct StatusCount: Codable, Sendable, Equatable {
        /// The status; absent for books without one.
        public var status: ReadingStatus?
        /// Number of rows.
        public var count: Int

        /// Makes a figure.
        public init(status: ReadingStatus?, count: Int) {
            self.status = status
            self.count = count
        }
    }

    /// Rows of data in the file, without the header.
    public var totalRows: Int
    /// Books.
    public var booksCreated: Int
    /// Always 0: an import has no earlier library to update.
    public var booksUpdated: Int
    /// Rows that are the same book as an earlier row.
    public var duplicatesSkipped: Int
    /// Rows that could not become a book.
    public var errorCount: Int
    /// Rows that are not books, such as films of a media list.
    public var skippedRows: Int
    /// Books by status.
    public var statuses: [StatusCount]
    /// What was recognised about the file.
    public var source: ImportSource

    /// Makes the figures of an empty file.
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

    /// Rows that became a book or joined one, out of the rows that are books: `98/100`.
    public var successRate: String { "\(booksCreated + duplicatesSkipped)/\(totalRows - skippedRows)" }
}

/// A row of an imported file that could not become a book.
public struct ImportRowError: Codable, Sendable, Equatable {
    /// Why.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// No title, no ISBN and no other identifier.
        case noTitle = "NO_TITLE"
        /// The title is over the length limit.
        case titleTooLong = "TITLE_TOO_LONG"
        /// Bytes that are not text in any encoding that the file could have.
        case undecodable = "UNDECODABLE_TEXT"
        /// The row's quotes cannot be parsed.
        case brokenRow = "BROKEN_ROW"
    }

    /// Number of the data row, from 1.
    public var row: Int
    /// Line of the file at which the row starts, from 1.
    public var lineNumber: Int
    /// The title, empty if unknown.
    public var title: String
    /// The ISBN as in the file.
    public var isbn: String?
    /// The reason in a sentence.
    public var error: String
    /// The reason.
    public var code: Code
    /// The row's cells as in the file.
    public var raw: RawCells

    /// Makes an error.
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
    /// Why.
    public enum Reason: String, Codable, Sendable, CaseIterable {
        /// A film, a record or a game.
        case otherMedia
        /// The application marks the row as deleted.
        case deleted
        /// Every cell is empty.
        case empty
        /// A repeated header.
        case repeatedHeader
        /// A comment, or a mark that a version control system left.
        case comment
    }

    /// Number of the data row, from 1.
    public var row: Int
    /// Line of the file at which the row starts, from 1.
    public var lineNumber: Int
    /// Why.
    public var reason: Reason

    /// Makes a skipped row.
    public init(row: Int, lineNumber: Int, reason: Reason) {
        self.row = row
        self.lineNumber = lineNumber
        self.reason = reason
    }
}
