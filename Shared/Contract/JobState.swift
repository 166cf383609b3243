/// The `data` of `GET /v1/jobs/{jobId}` (http-api.md "Job state"). Times are ISO 8601 with milliseconds.
public struct JobState: Codable, Sendable, Equatable {
    /// Paths for following a job and reading its results.
    public struct Links: Codable, Sendable, Equatable {
        /// Path of the results.
        public var results: String
        /// Path of the progress socket, without the token.
        public var websocket: String
        /// Path of the event stream, without the token.
        public var events: String?

        /// Creates links.
        public init(results: String, websocket: String, events: String? = nil) {
            self.results = results
            self.websocket = websocket
            self.events = events
        }
    }

    /// Items without a result for which a retry is planned or in progress (jobs.md "Retries").
    public struct LaterRetries: Codable, Sendable, Equatable {
        /// Number of items.
        public var count: Int
        /// When the first item is retried.
        public var nextAt: String

        /// Creates a value from a count and a time.
        public init(count: Int, nextAt: String) {
            self.count = count
            self.nextAt = nextAt
        }
    }

    /// The job's identifier.
    public var jobId: JobID
    /// The job's kind.
    public var pipeline: Pipeline
    /// What triggered the job; absent in responses from earlier servers.
    public var source: JobSource?
    /// The job's state.
    public var status: JobStatus
    /// The completed fraction, from 0 to 1.
    public var progress: Double
    /// Number of finished items; items skipped by a cancellation are not finished.
    public var processedCount: Int
    /// Total number of items.
    public var totalCount: Int
    /// Number of items with a result.
    public var successCount: Int
    /// Number of items that failed or were skipped.
    public var failureCount: Int
    /// Failures by reason; absent for an import, and if there are none.
    public var failureCounts: FailureCounts?
    /// Retries after the end of the job; absent if there are none.
    public var laterRetries: LaterRetries?
    /// The disconnected service that the job is waiting for; normally absent.
    public var waitingFor: String?
    /// When the job was accepted.
    public var createdAt: String
    /// When a worker first claimed the job's items, file or photos.
    public var startedAt: String?
    /// When the job ended; absent before the end.
    public var endedAt: String?
    /// When the job's results are deleted; absent before the job ends.
    public var expiresAt: String?
    /// Sequence number of the job's newest event.
    public var lastSeq: Int
    /// Sequence number of the newest event that the token's client has acknowledged; absent if it has acknowledged none.
    public var delivered: Int?
    /// See `EnrichmentResults.resultsRevision`.
    public var resultsRevision: Int
    /// Recommended polling interval in milliseconds; absent once the job has ended.
    public var pollAfterMs: Int?
    /// Paths for following the job and reading its results.
    public var links: Links

    /// ``pollAfterMs`` of a job that has not ended: twice the default interval between events (websocket.md "Throttle").
    public static let pollPause = 1_000

    /// Identifies this state among the states of its job; its weak `ETag` is `W/"<version>"` (streams.md "Polling").
    public var version: String { "\(lastSeq)-\(resultsRevision)" }

    /// Creates the state of a new job.
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
        links = Links(
            results: APIPath.results(jobId, of: pipeline), websocket: APIPath.websocket(jobId),
            events: APIPath.events(jobId))
    }
}

/// State of a job (jobs.md). Cancelled, completed and failed jobs never change state; a lookup that is repeated under its jobId is a new job
/// (http-api.md "One book").
public enum JobStatus: String, Codable, Sendable, CaseIterable {
    /// The job is stored on disk, but no worker has claimed its items, file or photos.
    case pending
    /// A worker has claimed items of the job, its file or its photos.
    case processing
    /// Every item has ended, or the whole file has been read.
    case completed
    /// Nothing could be done, for example because no provider responded or the file could not be read.
    case failed
    /// The job was cancelled, or its import failed, and its items are being ended in steps.
    case cancelling
    /// The job was cancelled by a client or an operator, or with its import; no further results are stored.
    case cancelled

    /// Whether the job has ended.
    public var isTerminal: Bool {
        switch self {
        case .completed, .failed, .cancelled: true
        case .pending, .processing, .cancelling: false
        }
    }
}

/// The kind of a job (websocket.md "Frames").
public enum Pipeline: String, Codable, Sendable, CaseIterable {
    case batchEnrichment = "batch_enrichment"
    case csvImport = "csv_import"
    case aiScan = "ai_scan"
}

/// The `data` of `DELETE /v1/jobs/{jobId}` and the cancel aliases (http-api.md "Job state").
public struct CancelOutcome: Codable, Sendable, Equatable {
    /// What the cancellation discarded.
    public struct Cleanup: Codable, Sendable, Equatable {
        /// Number of items that will not be processed.
        public var itemsDiscarded: Int
        /// Number of uploaded files that were deleted.
        public var uploadsDeleted: Int
        /// The same as `uploadsDeleted`, under the name required by shipped apps.
        public var r2ObjectsDeleted: Int
        /// Whether cached rows of the job were deleted. The value is always false, because rows are deleted together with their job, but shipped apps
        /// require it.
        public var kvCacheCleared: Bool

        /// Creates a cleanup report.
        public init(itemsDiscarded: Int, uploadsDeleted: Int) {
            self.itemsDiscarded = itemsDiscarded
            self.uploadsDeleted = uploadsDeleted
            r2ObjectsDeleted = uploadsDeleted
            kvCacheCleared = false
        }
    }

    /// The job's identifier.
    public var jobId: JobID
    /// The job's current state: `cancelled`, `cancelling` while a large job is being stopped, or the state in which the job had already ended.
    public var status: JobStatus
    /// The outcome in a few words, without a period, for example "Job cancelled".
    public var message: String
    /// What the cancellation discarded.
    public var cleanup: Cleanup

    /// Creates an outcome.
    public init(jobId: JobID, status: JobStatus, message: String, cleanup: Cleanup) {
        self.jobId = jobId
        self.status = status
        self.message = message
        self.cleanup = cleanup
    }
}

/// The `data` of `POST /v1/jobs/{jobId}/retry` (http-api.md "Job state").
public struct RetryOutcome: Codable, Sendable, Equatable {
    /// The job's identifier.
    public var jobId: JobID
    /// The job's state, which a retry does not change.
    public var status: JobStatus
    /// Number of failed items, and of a scan's failed photos, that are now being retried.
    public var retrying: Int

    /// Creates an outcome.
    public init(jobId: JobID, status: JobStatus, retrying: Int) {
        self.jobId = jobId
        self.status = status
        self.retrying = retrying
    }
}
