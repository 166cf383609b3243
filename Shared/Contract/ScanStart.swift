/// The `data` of the 202 response to the start of a scan of one photo (scans.md "Routes"). Its members are repeated at the top level.
public struct StartedScan: Codable, Sendable, Equatable {
    /// A stage of the work, as displayed by shipped apps.
    public struct Stage: Codable, Sendable, Equatable {
        /// Name of the stage.
        public var name: String
        /// Typical duration in seconds.
        public var typicalDuration: Int
        /// Progress of the job at the end of the stage, 0 to 1.
        public var progress: Double
    }

    /// The job's identifier.
    public var jobId: JobID
    /// The job's token.
    public var token: String
    /// The same token, under the name that older clients read.
    public var authToken: String
    /// Always "started".
    public var status: String
    /// Always true.
    public var websocketReady: Bool
    /// Text for users.
    public var message: String
    /// The three stages.
    public var stages: [Stage]
    /// Estimated minimum and maximum duration in seconds.
    public var estimatedRange: [Int]
    /// Path for following the job over WebSocket, without the token.
    public var websocketUrl: String
    /// Path of the job's state.
    public var statusUrl: String
    /// Path of the results.
    public var resultsUrl: String
    /// Path for following the job without a WebSocket (streams.md "Server-sent events").
    public var eventsUrl: String
    /// Path for shipped apps to follow the job without a WebSocket (streams.md "Streams of shipped apps").
    public var sseUrl: String

    /// Creates a response.
    public init(jobId: JobID, token: String) {
        self.jobId = jobId
        self.token = token
        authToken = token
        status = "started"
        websocketReady = true
        message = "Your photo was received. The books in it are being identified."
        stages = ScanStage.allCases.map {
            Stage(name: $0.name, typicalDuration: $0.typicalSeconds, progress: $0.end)
        }
        estimatedRange = [5, 30]
        websocketUrl = APIPath.websocket(jobId)
        statusUrl = APIPath.job(jobId)
        resultsUrl = APIPath.scanResults(jobId)
        eventsUrl = APIPath.events(jobId)
        sseUrl = APIPath.appEvents(jobId)
    }
}

/// The `data` of the 202 response to the start of a scan of a batch of photos (scans.md "Routes"). Its members are repeated at the top level.
public struct StartedBatchScan: Codable, Sendable, Equatable {
    /// The job's identifier.
    public var jobId: JobID
    /// The job's token.
    public var token: String
    /// The same token, under the name that older clients read.
    public var authToken: String
    /// Number of photos.
    public var totalPhotos: Int
    /// Always "processing".
    public var status: String
    /// Path for following the job over WebSocket, without the token.
    public var websocketUrl: String
    /// Path of the job's state.
    public var statusUrl: String
    /// Path of the results.
    public var resultsUrl: String
    /// Path for following the job without a WebSocket (streams.md "Server-sent events").
    public var eventsUrl: String
    /// Path for shipped apps to follow the job without a WebSocket (streams.md "Streams of shipped apps").
    public var sseUrl: String

    /// Creates a response.
    public init(jobId: JobID, token: String, totalPhotos: Int) {
        self.jobId = jobId
        self.token = token
        authToken = token
        self.totalPhotos = totalPhotos
        status = "processing"
        websocketUrl = APIPath.websocket(jobId)
        statusUrl = APIPath.job(jobId)
        resultsUrl = APIPath.scanResults(jobId)
        eventsUrl = APIPath.events(jobId)
        sseUrl = APIPath.appEvents(jobId)
    }
}

/// The limits of a scan (scans.md "Routes").
public enum ScanLimit {
    /// Maximum number of photos per batch.
    public static let photos = 5
    /// Maximum size of a photo in bytes.
    public static let photoBytes = 10 << 20
}

/// The stages of a scan and their shares of its progress (scans.md "Frames").
public enum ScanStage: String, Codable, Sendable, CaseIterable {
    /// Engines read the photos.
    case analyzing
    /// Detected spines become books.
    case extracting
    /// Providers are queried.
    case enriching

    /// Progress of the job at the end of the stage.
    public var end: Double {
        switch self {
        case .analyzing: 0.55
        case .extracting: 0.6
        case .enriching: 1
        }
    }

    var name: String {
        switch self {
        case .analyzing: "Analyzing photo"
        case .extracting: "Extracting books"
        case .enriching: "Enriching metadata"
        }
    }

    var typicalSeconds: Int {
        switch self {
        case .analyzing: 8
        case .extracting: 1
        case .enriching: 5
        }
    }
}

extension DurationEstimate {
    /// The estimate for one photo, including the lookups of its books.
    public static let photo = DurationEstimate(milliseconds: 10_000)
}

extension APIPath {
    /// Path of a scan's results.
    public static func scanResults(_ job: JobID) -> String { "/v1/scan/results/\(job)" }

    /// Path of a photo in a scan.
    public static func scanPhoto(_ job: JobID, _ index: Int) -> String { "/v1/scan/photos/\(job)/\(index)" }
}
