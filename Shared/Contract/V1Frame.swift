/// A frame of the v1 dialect: flat, without a pipeline or version (websocket.md "v1 dialect").
public struct V1Frame: Codable, Sendable, Equatable {
    /// The kind of a frame: `progress` or `complete`.
    public enum Kind: String, Codable, Sendable {
        case progress
        case complete
    }

    /// A found book in a `complete` frame; unknown values are absent.
    public struct EnrichedWork: Codable, Sendable, Equatable {
        /// ISBN of the edition if known, otherwise the requested ISBN.
        public var isbn: String?
        /// The work's title.
        public var title: String
        /// URL of the cover.
        public var coverUrl: String?
        /// Subject tags.
        public var genres: [String]
        /// Plain-text synopsis.
        public var description: String?

        /// Creates an entry.
        public init(isbn: String?, title: String, coverUrl: String?, genres: [String], description: String?) {
            self.isbn = isbn
            self.title = title
            self.coverUrl = coverUrl
            self.genres = genres
            self.description = description
        }
    }

    /// The books of a scan in a `complete` frame.
    public struct Scan: Codable, Sendable, Equatable {
        /// Total number of books.
        public var totalDetected: Int
        /// Number of books that need no review.
        public var approved: Int
        /// Number of books that need review.
        public var needsReview: Int
        /// The books, as in the results.
        public var books: [ScannedBook]
        /// How the photos were read.
        public var metadata: ScanResults.Reading

        /// Creates the content without books, which are inserted as JSON text.
        public init(detected: Int, approved: Int, metadata: ScanResults.Reading) {
            totalDetected = detected
            self.approved = approved
            needsReview = detected - approved
            books = []
            self.metadata = metadata
        }
    }

    /// The content of a frame.
    public struct Content: Codable, Sendable, Equatable {
        /// The completed fraction, from 0 to 1.
        public var progress: Double
        /// Short text about the job: its progress, its end, or why it cannot be followed.
        public var status: String
        /// The same as `status`.
        public var currentStatus: String
        /// Number of finished items.
        public var processedItems: Int
        /// Total number of items.
        public var totalItems: Int
        /// Work identifier of the newest finished row, if the client provided one.
        public var currentWorkId: String?
        /// Why the job failed or can no longer be followed.
        public var error: String?
        /// Whether the frame only indicates that the job is alive.
        public var keepAlive: Bool?
        /// Number of items with a result; only in `complete`.
        public var successCount: Int?
        /// Number of items without a result; only in `complete`.
        public var failedCount: Int?
        /// The books that were found; only in `complete`.
        public var enrichedWorks: [EnrichedWork]?
        /// The books of a scan; only in `complete`.
        public var result: Scan?

        /// Creates content without the members that only some frames have.
        public init(counts: JobCounts, status: String) {
            progress = counts.progress
            self.status = status
            currentStatus = status
            processedItems = counts.processed
            totalItems = counts.total
        }
    }

    /// The frame's kind.
    public var type: Kind
    /// Identifier of the followed job.
    public var jobId: JobID
    /// When the frame was created, in milliseconds since 1970.
    public var timestamp: Int64
    /// The frame's content.
    public var data: Content

    /// Creates a frame.
    public init(type: Kind, jobId: JobID, timestamp: Int64, data: Content) {
        self.type = type
        self.jobId = jobId
        self.timestamp = timestamp
        self.data = data
    }
}
