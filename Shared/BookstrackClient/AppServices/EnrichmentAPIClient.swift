public import BookstrackContract

/// Starts enrichments by ISBN or work identifier, cancels them, and reads their results. It is kept for apps that already use a class of this name;
/// ``BookstrackClient`` can do more.
public actor EnrichmentAPIClient {
    private let client: BookstrackClient

    /// Creates an API client that uses `client`.
    public init(client: BookstrackClient) { self.client = client }

    /// Starts the enrichment of books by ISBN. Repeating the call with the same `jobId` and the same ISBNs returns the same job.
    public func startEnrichment(jobId: JobID, isbns: [String], priority: JobPriority? = nil)
        async throws(BookstrackError) -> StartedJob
    {
        try await client.startEnrichment(isbns: isbns, jobID: jobId, priority: priority)
    }

    /// Starts the enrichment of books by work identifiers: ISBNs, Open Library work keys or titles.
    public func startEnrichment(jobId: JobID, workIds: [String], priority: JobPriority? = nil)
        async throws(BookstrackError) -> StartedJob
    {
        try await client.startEnrichment(workIDs: workIds, jobID: jobId, priority: priority)
    }

    /// Cancels a job; has no effect if the job has ended.
    public func cancelJob(_ jobId: JobID) async throws(BookstrackError) { try await client.cancel(jobId) }

    /// The results of an ended job as plain values, in the order of the request; nil for a book without a result.
    public func records(of jobId: JobID) async throws(BookstrackError) -> [BookRecord?] {
        try await client.results(of: jobId).enrichedBooks.map(DTOMapper.record)
    }
}
