/// `data` of `GET /v1/jobs/{jobId}` (http-api.md "Job state"). Times are ISO 8601 with milliseconds.
public struct JobState: Codable, Sendable, Equatable {
    /// Where to read more about a job.
    public struct Links: Codable, Sendable, Equatable {
        /// Path of the results.
        public var results: String
        /// Path of the live progress socket.
        public var websocket: String

        /// Makes links.
        public init(results: String, websocket: String) {
            self.results = results
            self.websocket = websocket
        }
    }

    /// Items without a result that the server tries again by itself (jobs.md "Retries").
    public struct LaterRetries: Codable, Sendable, Equatable {
        /// How many items.
        public var count: Int
        /// When the first of them is tried next.
        public var nextAt: String

        /// Makes a plan.
        public init(count: Int, nextAt: String) {
            self.count = count
            self.nextAt = nextAt
        }
    }

    /// The job.
    public var jobId: JobID
    /// Its kind.
    public var pipeline: Pipeline
    /// Where it stands.
    public var status: JobStatus
    /// From 0 to 1.
    public var progress: Double
    /// Items that were done; those that a cancellation skipped were not.
    public var processedCount: Int
    /// Items in all.
    public var totalCount: Int
    /// Items with a result.
    public var successCount: Int
    /// Items that failed or were skipped.
    public var failureCount: Int
    /// The same by reason; absent while there are none.
    public var failureCounts: FailureCounts?
    /// What is tried again after the job's end; absent when nothing is.
    public var laterRetries: LaterRetries?
    /// The service that an open job cannot go on without and that is not connected; absent as a rule.
    public var waitingFor: String?
    /// When it was accepted.
    public var createdAt: String
    /// When its first item was claimed.
    public var startedAt: String?
    /// When it ended.
    public var endedAt: String?
    /// When its results are removed.
    public var expiresAt: String?
    /// Sequence number of its newest event.
    public var lastSeq: Int
    /// See `EnrichmentResults.resultsRevision`.
    public var resultsRevision: Int
    /// Where to read more.
    public var links: Links

    /// Makes a state of a job that has just been accepted.
    public init(jobId: JobID, pipeline: Pipeline, totalCount: Int, createdAt: String) {
        self.jobId = jobId
        self.pipeline = pipeline
        self.totalCount = totalCount
        self.createdAt = createdAt
        status = .pending
        progress = 0
        processedCount = 0
        successCount = 0
        failureCount = 0
        lastSeq = 0
        resultsRevision = 0
        links = Links(results: APIPath.results(jobId), websocket: APIPath.websocket(jobId))
    }
}
