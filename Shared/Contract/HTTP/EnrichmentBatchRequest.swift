/// Body of `POST /v1/enrichment/batch`: exactly one of `books`, `isbns`, `barcodes`, `workIds` (http-api.md "Starting a job").
public struct EnrichmentBatchRequest: Codable, Sendable {
    /// The client's own identifier; made by the server if absent.
    public var jobId: JobID?
    /// Which jobs' items are looked up first; by default `high` for one to five books, else `normal`.
    public var priority: JobPriority?
    /// A token of the job, when the start is repeated (http-api.md "Starting a job").
    public var token: String?
    /// Rows of title, author, ISBN.
    public var books: [BookQuery]?
    /// Rows of ISBNs.
    public var isbns: [String]?
    /// The same as `isbns`, under the name of the original's scanner.
    public var barcodes: [String]?
    /// Rows of the client's work identifiers (jobs.md "Work").
    public var workIds: [String]?

    /// Makes a request for `books`.
    public init(jobId: JobID? = nil, books: [BookQuery]) {
        self.jobId = jobId
        self.books = books
    }
}

/// Which jobs' items are looked up first (jobs.md "Work").
public enum JobPriority: String, Codable, Sendable, CaseIterable {
    /// A person waits for the answer.
    case high
    case normal
    /// Imports, and whatever can wait.
    case low
}
