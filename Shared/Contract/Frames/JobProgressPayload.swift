/// `job_progress` (websocket.md "Payloads").
public struct JobProgressPayload: FramePayload {
    /// Identifiers of the row that `currentTitle` names.
    public struct ItemDetails: Codable, Sendable, Equatable {
        /// ISBN as asked.
        public var isbn: String?
        /// Author as asked.
        public var author: String?

        /// Makes details, or nil when there are none.
        public init?(isbn: String?, author: String?) {
            guard isbn != nil || author != nil else { return nil }
            self.isbn = isbn
            self.author = author
        }
    }

    /// Always `job_progress`.
    public var type: FrameType
    /// From 0 to 1.
    public var progress: Double
    /// The same share as a whole number from 0 to 100, rounded down.
    public var percentage: Int
    /// Short neutral text without a title and without the words *error*, *fail* and *complete* (websocket.md "Payloads").
    public var status: String
    /// Items that were done.
    public var processedCount: Int
    /// Items in all.
    public var totalCount: Int
    /// Items that were not done.
    public var remaining: Int
    /// The same as `processedCount`.
    public var booksProcessed: Int
    /// The same as `totalCount`.
    public var totalBooks: Int
    /// Title of the newest finished row.
    public var currentItem: String
    /// The same as `currentItem`.
    public var currentTitle: String
    /// Identifiers of that row.
    public var currentItemDetails: ItemDetails?
    /// Friendly text for people.
    public var userMessage: String
    /// Seconds.
    public var estimatedTimeRemaining: Int?
    /// Items with a result.
    public var successCount: Int
    /// Items that failed or were skipped.
    public var failureCount: Int
    /// The same by reason; absent while there are none.
    public var failureCounts: FailureCounts?
    /// True on a frame that only says that the job is alive.
    public var keepAlive: Bool?

    /// Makes a payload.
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
