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
