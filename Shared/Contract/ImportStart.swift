/// `data` of the 202 response that starts an import (imports.md "Routes").
public struct StartedImport: Codable, Sendable, Equatable {
    /// The linked enrichment job: its token is only ever in this answer.
    public struct Enrichment: Codable, Sendable, Equatable {
        /// The job; pending until the import ends.
        public var jobId: JobID
        /// Its token.
        public var token: String
        /// Where to watch it.
        public var websocketUrl: String
        /// Where to read its results.
        public var resultsUrl: String

        /// Makes a link.
        public init(jobId: JobID, token: String) {
            self.jobId = jobId
            self.token = token
            websocketUrl = APIPath.websocket(jobId)
            resultsUrl = APIPath.results(jobId)
        }
    }

    /// Always true; older clients read it here.
    public var success: Bool
    /// The job.
    public var jobId: JobID
    /// The job's token.
    public var token: String
    /// The same token, under the name that older clients read.
    public var authToken: String
    /// State at the time of the answer.
    public var status: JobStatus
    /// Name of the file, as the client gave it; for display only.
    public var filename: String
    /// Size of the file.
    public var bytes: Int
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
    /// A range in words, for example "1-5s".
    public var estimatedTime: String
    /// Milliseconds.
    public var estimatedDuration: Int
    /// The linked enrichment job; absent if none was requested.
    public var enrichment: Enrichment?

    /// Makes an answer.
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
    /// A library file is read within a second, most of which is transport.
    public static let libraryFile = DurationEstimate(milliseconds: 1_000)
}

extension APIPath {
    /// Path of a job's results by its kind.
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
