/// One of the three lists in an import's results.
public enum ImportPart: String, Codable, Sendable, CaseIterable {
    /// The books of the library: ``ImportedBook``.
    case books
    /// The rows that could not be read as books: ``ImportRowError``.
    case errors
    /// The rows that are not books: ``SkippedRow``.
    case skipped
}

/// The `data` of an import's results (imports.md "Results").
public struct ImportResults: Codable, Sendable, Equatable {
    /// The linked enrichment job. Its token is contained only in the response to the start of the import.
    public struct Enrichment: Codable, Sendable, Equatable {
        /// The job's identifier.
        public var jobId: JobID
        /// Path for following the job over WebSocket, without the token.
        public var websocketUrl: String
        /// Path of the job's results.
        public var resultsUrl: String

        /// Creates a link.
        public init(jobId: JobID) {
            self.jobId = jobId
            websocketUrl = APIPath.websocket(jobId)
            resultsUrl = APIPath.results(jobId)
        }
    }

    /// How the file was read.
    public struct Reading: Codable, Sendable, Equatable {
        /// The AI model that identified columns; absent if none did.
        public var modelUsed: String?
        /// Milliseconds from the first claim to the end of the import.
        public var processingTime: Int

        /// Creates a record.
        public init(modelUsed: String? = nil, processingTime: Int) {
            self.modelUsed = modelUsed
            self.processingTime = processingTime
        }
    }

    /// The books of the library, in file order.
    public var books: [ImportedBook]
    /// Rows that could not be read as a book.
    public var errors: [ImportRowError]
    /// The first 1 000 rows that are not books.
    public var skipped: [SkippedRow]
    /// See ``ImportSummary/successRate``.
    public var successRate: String
    /// When the import ended, in milliseconds since 1970.
    public var timestamp: Int64
    /// See ``ImportSummary/totalRows``.
    public var totalRows: Int
    /// See ``ImportSummary/skippedRows``.
    public var skippedRows: Int
    /// See ``ImportSummary/duplicatesSkipped``.
    public var duplicatesSkipped: Int
    /// See ``ImportSummary/booksCreated``.
    public var booksCreated: Int
    /// See ``ImportSummary/booksUpdated``.
    public var booksUpdated: Int
    /// The recognized properties of the file.
    public var source: ImportSource
    /// The linked enrichment job; absent if none was requested.
    public var enrichment: Enrichment?
    /// How the file was read.
    public var metadata: Reading
    /// Constant, because the results of an import do not change.
    public var resultsRevision: Int
    /// When the results are deleted, ISO 8601 with milliseconds.
    public var expiresAt: String

    /// Creates results.
    public init(
        books: [ImportedBook], errors: [ImportRowError], skipped: [SkippedRow], successRate: String, timestamp: Int64,
        totalRows: Int, skippedRows: Int, duplicatesSkipped: Int, booksCreated: Int, booksUpdated: Int,
        source: ImportSource, enrichment: Enrichment? = nil, metadata: Reading, resultsRevision: Int, expiresAt: String
    ) {
        self.books = books
        self.errors = errors
        self.skipped = skipped
        self.successRate = successRate
        self.timestamp = timestamp
        self.totalRows = totalRows
        self.skippedRows = skippedRows
        self.duplicatesSkipped = duplicatesSkipped
        self.booksCreated = booksCreated
        self.booksUpdated = booksUpdated
        self.source = source
        self.enrichment = enrichment
        self.metadata = metadata
        self.resultsRevision = resultsRevision
        self.expiresAt = expiresAt
    }
}

/// The `data` of `POST /v1/csv/preview` (imports.md "Preview"): the beginning of what an import of the file would produce.
public struct ImportPreview: Codable, Sendable, Equatable {
    /// The recognized properties of the file.
    public var source: ImportSource
    /// Number of data rows in the file, without the header.
    public var totalRows: Int
    /// The first 20 books.
    public var books: [ImportedBook]
    /// The first 20 rows that could not be read as a book.
    public var errors: [ImportRowError]
    /// Number of rows with the same book as an earlier row.
    public var duplicates: Int

    /// Creates a preview.
    public init(
        source: ImportSource, totalRows: Int, books: [ImportedBook], errors: [ImportRowError], duplicates: Int
    ) {
        self.source = source
        self.totalRows = totalRows
        self.books = books
        self.errors = errors
        self.duplicates = duplicates
    }
}
