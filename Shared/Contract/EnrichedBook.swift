/// `data` of `GET /v1/enrichment/results/{jobId}` (http-api.md "Results"). Rows are in input order.
public struct EnrichmentResults: Codable, Sendable, Equatable {
    /// The job.
    public var jobId: JobID
    /// Rises whenever a later success or fact changed a row.
    public var resultsRevision: Int
    /// When the results are removed, ISO 8601 with milliseconds.
    public var expiresAt: String
    /// Rows with a result.
    public var successCount: Int
    /// Rows without one.
    public var failureCount: Int
    /// The rows.
    public var enrichedBooks: [EnrichedBook]

    /// Makes an answer.
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

/// One row of `enrichedBooks`: the asked row echoed, then what was found or why nothing was (http-api.md "Results").
public struct EnrichedBook: Codable, Sendable, Equatable {
    /// Title as asked.
    public var title: String?
    /// Author as asked.
    public var author: String?
    /// ISBN as asked.
    public var isbn: String?
    /// Work identifier as asked.
    public var workId: String?
    /// Whether `enriched` is present.
    public var success: Bool
    /// How the row was matched; present on success.
    public var matchedBy: MatchKind?
    /// What was repaired in the asked ISBN, in words, when it was.
    public var isbnRepair: String?
    /// What was found; present on success.
    public var enriched: EnrichedMetadata?
    /// A sentence; present on failure.
    public var error: String?
    /// The stable code behind `error`.
    public var errorCode: ItemErrorCode?
    /// Whether a retry may succeed; present on failure.
    public var retryable: Bool?
    /// Up to three near misses of a title search, kept for review (metadata.md "Lookup").
    public var candidates: [EnrichedMetadata]?

    /// Makes a row that has no outcome yet.
    public init(asked query: BookQuery, success: Bool) {
        title = query.title
        author = query.author
        isbn = query.isbn
        workId = query.workId
        self.success = success
    }
}

/// What was found for one row: `enriched` in a results answer (http-api.md "Results").
public struct EnrichedMetadata: Codable, Sendable, Equatable {
    /// The work the row belongs to.
    public var work: WorkDTO
    /// The edition asked for, or the best known one when no ISBN was given.
    public var edition: EditionDTO?
    /// Authors in the work's order.
    public var authors: [AuthorDTO]

    /// Makes a result.
    public init(work: WorkDTO, edition: EditionDTO?, authors: [AuthorDTO]) {
        self.work = work
        self.edition = edition
        self.authors = authors
    }
}

/// How a row was matched: `matchedBy` in a results answer (metadata.md "Lookup", http-api.md "Results").
public enum MatchKind: String, Codable, Sendable {
    case isbn
    case title
    case workId
}
