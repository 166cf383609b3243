/// The `data` of the 202 response to the start of an import (imports.md "Routes").
public struct StartedImport: Codable, Sendable, Equatable {
    /// The linked enrichment job. Its token is contained only in this response.
    public struct Enrichment: Codable, Sendable, Equatable {
        /// Identifier of the job, which is pending until the import ends.
        public var jobId: JobID
        /// The job's token.
        public var token: String
        /// Path for following the job over WebSocket, without the token.
        public var websocketUrl: String
        /// Path of the job's results.
        public var resultsUrl: String

        /// Creates a link.
        public init(jobId: JobID, token: String) {
            self.jobId = jobId
            self.token = token
            websocketUrl = APIPath.websocket(jobId)
            resultsUrl = APIPath.results(jobId)
        }
    }

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
    /// Name of the file as given by the client; for display only.
    public var filename: String
    /// Size of the file in bytes.
    public var bytes: Int
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
    /// The estimated duration as a range, for example "1-5s".
    public var estimatedTime: String
    /// The estimated duration in milliseconds.
    public var estimatedDuration: Int
    /// The linked enrichment job; absent if none was requested, and in the response to a repeated start if that job can have no more tokens.
    public var enrichment: Enrichment?

    /// Creates a response.
    public init(
        jobId: JobID, token: String, status: JobStatus, filename: String, bytes: Int, estimate: DurationEstimate,
        enrichment: Enrichment?
    ) {
        success = true
        self.jobId = jobId
        self.token = token
        authToken = token
        self.status = status
        self.filename = filename
        self.bytes = bytes
        websocketUrl = APIPath.websocket(jobId)
        statusUrl = APIPath.importStatus(jobId)
        resultsUrl = APIPath.importResults(jobId)
        eventsUrl = APIPath.events(jobId)
        sseUrl = APIPath.appEvents(jobId)
        estimatedTime = estimate.text
        estimatedDuration = estimate.milliseconds
        self.enrichment = enrichment
    }
}

extension DurationEstimate {
    /// The estimate for a library file: one second, most of which is transfer time.
    public static let libraryFile = DurationEstimate(milliseconds: 1_000)
}

extension APIPath {
    /// Path of a job's results, which depends on the kind of job.
    public static func results(_ job: JobID, of pipeline: Pipeline) -> String {
        switch pipeline {
        case .csvImport: importResults(job)
        case .aiScan: scanResults(job)
        case .batchEnrichment: results(job)
        }
    }

    /// Path of an import's results.
    public static func importResults(_ job: JobID) -> String { "/v1/csv/results/\(job)" }

    /// Path of an import's state.
    public static func importStatus(_ job: JobID) -> String { "/v1/csv/status/\(job)" }
}
