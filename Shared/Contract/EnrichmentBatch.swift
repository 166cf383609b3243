/// Body of `POST /v1/enrichment/batch`: exactly one of `books`, `isbns`, `barcodes`, `workIds` (http-api.md "Starting a job").
public struct EnrichmentBatchRequest: Codable, Sendable {
    /// The job's identifier, chosen by the client; the server generates one if absent.
    public var jobId: JobID?
    /// Priority of the job's items; by default `high` for one to five books, otherwise `normal`.
    public var priority: JobPriority?
    /// What triggered the job; `api` by default.
    public var source: JobSource?
    /// A URL that is called when the results have improved after the end of the job (jobs.md "Webhooks").
    public var callbackUrl: String?
    /// An earlier token of the job, if the start request is repeated (http-api.md "Starting a job").
    public var token: String?
    /// The books, each by any of title, author, ISBN and work.
    public var books: [BookQuery]?
    /// One ISBN per book.
    public var isbns: [String]?
    /// The same as `isbns`, under the name that the original API's scanner uses.
    public var barcodes: [String]?
    /// One of the client's work identifiers per book (jobs.md "Work").
    public var workIds: [String]?

    /// Creates a request for `books`.
    public init(jobId: JobID? = nil, books: [BookQuery]) {
        self.jobId = jobId
        self.books = books
    }
}

/// Priority of a job's items (jobs.md "Work").
public enum JobPriority: String, Codable, Sendable, CaseIterable {
    /// A user is waiting for the result.
    case high
    case normal
    /// Imports and other work that can wait.
    case low
}

/// What triggered a job (http-api.md "Starting a job").
public enum JobSource: String, Codable, Sendable, CaseIterable {
    /// A person entered the books.
    case manual
    /// The books come from a search.
    case search
    /// The books come from an imported library.
    case `import`
    /// The books come from photos.
    case scan
    /// An app is updating its library.
    case sync
    /// None of these, or unknown.
    case api

    /// The source of a job that specifies none.
    public init(of pipeline: Pipeline) {
        self =
            switch pipeline {
            case .batchEnrichment: .api
            case .csvImport: .import
            case .aiScan: .scan
            }
    }
}

/// The `data` of the 202 response to the start of a batch enrichment (http-api.md "Starting a job").
public struct StartedJob: Codable, Sendable, Equatable {
    /// Always true; older clients read it in `data`.
    public var success: Bool
    /// The job's identifier.
    public var jobId: JobID
    /// The job's token.
    public var token: String
    /// The same token, under the name that older clients read.
    public var authToken: String
    /// The job's state when the response was sent.
    public var status: JobStatus
    /// Always 0.
    public var processedCount: Int
    /// Total number of items.
    public var totalCount: Int
    /// The same as `totalCount`.
    public var totalBooks: Int
    /// The estimated duration as a range, for example "1-5s".
    public var estimatedTime: String
    /// The estimated duration in milliseconds.
    public var estimatedDuration: Int
    /// Path for following the job over WebSocket, without the token.
    public var websocketUrl: String
    /// Path of the results.
    public var resultsUrl: String
    /// Path for following the job without a WebSocket (streams.md "Server-sent events").
    public var eventsUrl: String
    /// Path for shipped apps to follow the job without a WebSocket (streams.md "Streams of shipped apps").
    public var sseUrl: String

    /// Creates a response.
    public init(jobId: JobID, token: String, status: JobStatus, totalCount: Int, estimate: DurationEstimate) {
        success = true
        self.jobId = jobId
        self.token = token
        authToken = token
        self.status = status
        processedCount = 0
        self.totalCount = totalCount
        totalBooks = totalCount
        estimatedTime = estimate.text
        estimatedDuration = estimate.milliseconds
        websocketUrl = APIPath.websocket(jobId)
        resultsUrl = APIPath.results(jobId)
        eventsUrl = APIPath.events(jobId)
        sseUrl = APIPath.appEvents(jobId)
    }
}

/// The estimated duration of a batch at the documented provider request rates.
public struct DurationEstimate: Sendable, Equatable {
    /// The expected duration in milliseconds.
    public let milliseconds: Int

    /// Creates the estimate: one second, plus one second for every 25 books or part thereof. Open Library is queried in ISBN batches, at up to
    /// 3 requests/s, with two requests per 25 books (metadata.md "Lookup", http-api.md "Starting a job").
    public init(books: Int) {
        self.init(milliseconds: 1_000 * (1 + (books + 24) / 25))
    }

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// A range as text, from half to two and a half times the expected duration: "1-5s", "1-4min".
    public var text: String {
        let low = max(1, milliseconds / 2_000)
        let high = max(low + 1, milliseconds / 400)
        return high < 120 ? "\(low)-\(high)s" : "\(max(1, low / 60))-\((high + 59) / 60)min"
    }
}

/// The paths in responses and frames.
public enum APIPath {
    /// Path of a batch enrichment's results.
    public static func results(_ job: JobID) -> String { "/v1/enrichment/results/\(job)" }

    /// Path of a job's progress socket, without the token.
    public static func websocket(_ job: JobID) -> String { "/ws/progress?jobId=\(job)" }

    /// Path of a job's event stream, without the token.
    public static func events(_ job: JobID) -> String { "/v1/jobs/\(job)/events" }

    /// Path of a job's event stream in the format for shipped apps, without the token.
    public static func appEvents(_ job: JobID) -> String { "/api/v2/imports/\(job)/stream" }

    /// Path of a job's state.
    public static func job(_ job: JobID) -> String { "/v1/jobs/\(job)" }
}

/// Body of `POST /v1/token/refresh` (http-api.md "Routes", websocket.md "Tokens").
public struct TokenRefreshRequest: Codable, Sendable {
    /// The job's identifier.
    public var jobId: JobID
    /// The token that is about to expire.
    public var oldToken: String

    /// Creates a request.
    public init(jobId: JobID, oldToken: String) {
        self.jobId = jobId
        self.oldToken = oldToken
    }
}

/// The 200 response of `POST /v1/token/refresh`: a flat object that contains only strings, without an envelope (http-api.md "Routes", websocket.md
/// "Tokens").
public struct TokenRefreshed: Codable, Sendable, Equatable {
    /// The job's identifier.
    public var jobId: JobID
    /// The new token.
    public var token: String
    /// The new token, under the name that older clients read.
    public var newToken: String
    /// When the new token expires, ISO 8601 with milliseconds.
    public var expiresAt: String

    /// Creates a response.
    public init(jobId: JobID, token: String, expiresAt: String) {
        self.jobId = jobId
        self.token = token
        newToken = token
        self.expiresAt = expiresAt
    }
}
