/// Body of `POST /v1/enrichment/batch`: exactly one of `books`, `isbns`, `barcodes`, `workIds` (spec/02).
public struct EnrichmentBatchRequest: Codable, Sendable {
    /// The client's own identifier; made by the server if absent.
    public var jobId: JobID?
    /// Rows of title, author, ISBN.
    public var books: [BookQuery]?
    /// Rows of ISBNs.
    public var isbns: [String]?
    /// The same as `isbns`, under the name of the original's scanner.
    public var barcodes: [String]?
    /// Rows of the client's work identifiers (spec/07 "workIds").
    public var workIds: [String]?

    /// Makes a request for `books`.
    public init(jobId: JobID? = nil, books: [BookQuery]) {
        self.jobId = jobId
        self.books = books
    }
}
