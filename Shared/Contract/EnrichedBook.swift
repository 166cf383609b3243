/// The `data` of `GET /v1/enrichment/results/{jobId}` (http-api.md "Results"). Rows are in input order.
public struct EnrichmentResults: Codable, Sendable, Equatable {
    /// The job's identifier.
    public var jobId: JobID
    /// Revision of the results: it increases when the job ends, and whenever a retry or a fact found later changes a row.
    public var resultsRevision: Int
    /// When the results are deleted, ISO 8601 with milliseconds.
    public var expiresAt: String
    /// Number of rows with a result.
    public var successCount: Int
    /// Number of rows without a result.
    public var failureCount: Int
    /// One row for each requested book.
    public var enrichedBooks: [EnrichedBook]

    /// Creates a response.
    public init(
        jobId: JobID, resultsRevision: Int, expiresAt: String, successCount: Int, failureCount: Int,
        enrichedBooks: [EnrichedBook]
    ) {
        self.jobId = jobId
        self.resultsRevision = resultsRevision
        self.expiresAt = expiresAt
        self.successCount = successCount
        self.failureCount = failureCount
        self.enrichedBooks = enrichedBooks
    }
}

/// One row of `enrichedBooks`: the request, followed by the result or the reason why there is none (http-api.md "Results").
public struct EnrichedBook: Codable, Sendable, Equatable {
    /// Title as requested.
    public var title: String?
    /// Author as requested.
    public var author: String?
    /// ISBN as requested.
    public var isbn: String?
    /// Work identifier as requested.
    public var workId: String?
    /// Number of the row in the imported file (imports.md "Linked enrichment"), or the number that the client gave the book.
    public var row: Int?
    /// Whether `enriched` is present.
    public var success: Bool
    /// How the row was matched; present on success.
    public var matchedBy: MatchKind?
    /// How the requested ISBN was repaired, in words; absent if it was not repaired.
    public var isbnRepair: String?
    /// The result; present on success.
    public var enriched: EnrichedMetadata?
    /// Why there is no result, in words; present on failure.
    public var error: String?
    /// The reason as a stable code; present on failure.
    public var errorCode: ItemErrorCode?
    /// Whether a retry may succeed; present on failure.
    public var retryable: Bool?
    /// Up to three near matches of a title search, for review (metadata.md "Lookup"); absent if there are none.
    public var candidates: [EnrichedMetadata]?

    /// Creates a row from the request, without the result or the reason for its absence.
    public init(asked query: BookQuery, success: Bool) {
        title = query.title
        author = query.author
        isbn = query.isbn
        workId = query.workId
        row = query.row
        self.success = success
    }
}

/// The result for one row: `enriched` in a results response (http-api.md "Results").
public struct EnrichedMetadata: Codable, Sendable, Equatable {
    /// The work that matches the row.
    public var work: WorkDTO
    /// The requested edition, or the best one found if no ISBN was given; absent if none is known.
    public var edition: EditionDTO?
    /// Authors in the work's order.
    public var authors: [AuthorDTO]

    /// Creates a result.
    public init(work: WorkDTO, edition: EditionDTO?, authors: [AuthorDTO]) {
        self.work = work
        self.edition = edition
        self.authors = authors
    }
}

/// How a row was matched: `matchedBy` in a results response (metadata.md "Lookup", http-api.md "Results").
public enum MatchKind: String, Codable, Sendable {
    case isbn
    case title
    case workId
}
