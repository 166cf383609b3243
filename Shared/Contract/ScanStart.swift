/// `data` of the 202 response that starts the scan of one photo (scans.md "Routes"). Its members stand at the top level as well.
public struct StartedScan: Codable, Sendable, Equatable {
    /// A part of the work, as shipped apps show it.
    public struct Stage: Codable, Sendable, Equatable {
        /// What is done.
        public var name: String
        /// Seconds.
        public var typicalDuration: Int
        /// Progress of the job at the end of the stage, 0 to 1.
        public var progress: Double
    }

    /// The job.
    public var jobId: JobID
    /// The job's token.
    public var token: String
    /// The same token, under the name that older clients read.
    public var authToken: String
    /// Always "started".
    public var status: String
    /// Always true.
    public var websocketReady: Bool
    /// A sentence for users.
    public var message: String
    /// Three stages.
    public var stages: [Stage]
    /// Minimum and maximum, in seconds.
    public var estimatedRange: [Int]
    /// Where to watch.
    public var websocketUrl: String
    /// Where to read the state.
    public var statusUrl: String
    /// Where to read the results.
    public var resultsUrl: String
    /// Where to watch without a WebSocket (streams.md "Server-sent events").
    public var eventsUrl: String
    /// Where shipped apps watch without a WebSocket (streams.md "Streams of shipped apps").
    public var sseUrl: String

    /// Makes an answer.
    public init(jobId: JobID, token: String) {
        self.jobId = jobId
        self.token = token
        authToken = token
        status = "started"
        websocketReady = true
        message = "Your photo was received. Its books are being read."
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

/// `data` of the 202 response that starts the scan of several photos (scans.md "Routes"). Its members stand at the top level as well.
public struct StartedBatchScan: Codable, Sendable, Equatable {
    /// The job.
    public var jobId: JobID
    /// The job's token.
    public var token: String
    /// The same token, under the name that older clients read.
    public var authToken: String
    /// Number of photos.
    public var totalPhotos: Int
    /// Always "processing".
    public var status: String
    /// Where to watch.
    public var websocketUrl: String
    /// Where to read the state.
    public var statusUrl: String
    /// Where to read the results.
    public var resultsUrl: String
    /// Where to watch without a WebSocket (streams.md "Server-sent events").
    public var eventsUrl: String
    /// Where shipped apps watch without a WebSocket (streams.md "Streams of shipped apps").
    public var sseUrl: String

    /// Makes an answer.
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
    /// Photos of a batch.
    public static let photos = 5
    /// Bytes of a photo.
    public static let photoBytes = 10 << 20
}

/// The stages of a scan and their shares of its progress (scans.md "Frames").
public enum ScanStage: String, Codable, Sendable, CaseIterable {
    /// Engines read the photos.
    case analyzing
    /// Spines become books.
    case extracting
    /// Providers are asked.
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
    /// One photo, including the lookups of its books.
    public static let photo = DurationEstimate(milliseconds: 10_000)
}

extension APIPath {
    /// Path of a scan's results.
    public static func scanResults(_ job: JobID) -> String { "/v1/scan/results/\(job)" }

    /// Path of a photo of a scan.
    public static func scanPhoto(_ job: JobID, _ index: Int) -> String { "/v1/scan/photos/\(job)/\(index)" }
}
