/// `job_started`: a worker has claimed the first items, the file or the photos of the job (websocket.md "Payloads").
public struct JobStartedPayload: FramePayload {
    /// Always `job_started`.
    public var type: FrameType
    /// Total number of items or, for a scan, of photos.
    public var totalItems: Int
    /// Whether `totalItems` is an estimate, as for imports, where rows are counted as they are read (imports.md "Frames").
    public var estimated: Bool?
    /// The same as `totalItems`.
    public var totalCount: Int
    /// The same as `totalItems`.
    public var totalBooks: Int
    /// Estimated duration in milliseconds.
    public var estimatedDuration: Int
    /// Short text without the words *error*, *fail* and *complete* (websocket.md "Payloads").
    public var status: String

    /// Creates a payload.
    public init(totalCount: Int, estimated: Bool? = nil, estimatedDuration: Int, status: String) {
        type = .jobStarted
        totalItems = totalCount
        self.estimated = estimated
        self.totalCount = totalCount
        totalBooks = totalCount
        self.estimatedDuration = estimatedDuration
        self.status = status
    }
}

/// `job_progress`: how much of the job is done, or that it was cancelled (websocket.md "Payloads").
public struct JobProgressPayload: FramePayload {
    /// ISBN and author of the row whose title is `currentTitle`.
    public struct ItemDetails: Codable, Sendable, Equatable {
        /// ISBN as requested.
        public var isbn: String?
        /// Author as requested.
        public var author: String?

        /// Creates details; nil if there are none.
        public init?(isbn: String?, author: String?) {
            guard isbn != nil || author != nil else { return nil }
            self.isbn = isbn
            self.author = author
        }
    }

    /// Always `job_progress`.
    public var type: FrameType
    /// The completed fraction, from 0 to 1.
    public var progress: Double
    /// The value of `progress` as a whole number from 0 to 100, rounded down.
    public var percentage: Int
    /// Short neutral text without a title and, except before the `error` of a failed scan, without the words *error*, *fail* and *complete*
    /// (websocket.md "Payloads").
    public var status: String
    /// Number of finished items.
    public var processedCount: Int
    /// Total number of items.
    public var totalCount: Int
    /// Number of items that are not finished.
    public var remaining: Int
    /// The same as `processedCount`.
    public var booksProcessed: Int
    /// The same as `totalCount`.
    public var totalBooks: Int
    /// Title of the newest finished row (empty before the first) or, for an import, the file's name; empty in the last frame of a cancelled job.
    public var currentItem: String
    /// The same as `currentItem`.
    public var currentTitle: String
    /// ISBN and author of the row whose title is `currentTitle`.
    public var currentItemDetails: ItemDetails?
    /// Text for users.
    public var userMessage: String
    /// Estimated remaining time in seconds; absent if unknown.
    public var estimatedTimeRemaining: Int?
    /// Number of items with a result.
    public var successCount: Int
    /// Number of items that failed or were skipped.
    public var failureCount: Int
    /// Failures by reason; absent for an import, and if there are none.
    public var failureCounts: FailureCounts?
    /// Whether the frame only indicates that the job is alive.
    public var keepAlive: Bool?

    /// Creates a payload.
    public init(
        counts: JobCounts, status: String, currentTitle: String, currentItemDetails: ItemDetails?,
        userMessage: String, estimatedTimeRemaining: Int?, keepAlive: Bool? = nil
    ) {
        type = .jobProgress
        progress = counts.progress
        percentage = counts.percentage
        self.status = status
        processedCount = counts.processed
        totalCount = counts.total
        remaining = counts.remaining
        booksProcessed = counts.processed
        totalBooks = counts.total
        currentItem = currentTitle
        self.currentTitle = currentTitle
        self.currentItemDetails = currentItemDetails
        self.userMessage = userMessage
        self.estimatedTimeRemaining = estimatedTimeRemaining
        successCount = counts.succeeded
        failureCount = counts.withoutResult
        failureCounts = counts.failures.ifAny
        self.keepAlive = keepAlive
    }
}

/// `reconnected`: the current state for a client that reconnected or asked for it (websocket.md "Connection lifetime", "Client messages" and
/// "Payloads").
public struct ReconnectedPayload: FramePayload {
    /// Always `reconnected`.
    public var type: FrameType
    /// The completed fraction, from 0 to 1.
    public var progress: Double
    /// The job's state, for example "processing".
    public var status: JobStatus
    /// Number of finished items.
    public var processedCount: Int
    /// The same as `processedCount`, for clients that read snake case.
    public var processed_count: Int
    /// Total number of items.
    public var totalCount: Int
    /// The same as `totalCount`, for clients that read snake case.
    public var total_count: Int
    /// Time of the newest event or, before the first one, of the job's creation, in milliseconds since 1970.
    public var lastUpdate: Int64
    /// The same as `lastUpdate`, for clients that read snake case.
    public var last_update: Int64
    /// Text for users.
    public var message: String
    /// Whether every event after the requested `since` follows; false if the client sent no `since`.
    public var recovered: Bool

    /// Creates a payload.
    public init(status: JobStatus, counts: JobCounts, lastUpdate: Int64, message: String, recovered: Bool) {
        type = .reconnected
        progress = counts.progress
        self.status = status
        processedCount = counts.processed
        processed_count = counts.processed
        totalCount = counts.total
        total_count = counts.total
        self.lastUpdate = lastUpdate
        last_update = lastUpdate
        self.message = message
        self.recovered = recovered
    }
}
