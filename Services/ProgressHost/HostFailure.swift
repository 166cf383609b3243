import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods

/// Why progress-host refuses or fails a call. Failures are turned into RPC errors only in the extension below.
enum HostFailure: Error, Sendable, Equatable {
    /// Unknown job, or missing, wrong or revoked token: one case for all, so callers cannot distinguish them (websocket.md "Upgrade").
    case unauthorized
    case tokenExpired
    case tokenRefreshTooEarly(seconds: Int)
    /// The jobId is in use with a different body, or the caller is not entitled to a token of the job.
    case jobExists(JobID, JobStatus, StartedContent = .books)
    /// The results do not exist yet.
    case resultsNotReady(JobID, JobStatus)
    /// There is no such job, or its results were deleted; results are kept for at least `ttl` after a job's end.
    case noResults(JobID, ttl: Duration)
    /// The scan was cancelled, or it failed; the fault is the reason for the failure, if known.
    case scanWithoutResults(JobID, JobStatus, PhotoFault?)
    /// Import results were requested for a job that is not an import.
    case notAnImport(JobID, Pipeline)
    case noJob(JobID)
    /// The job is an import, which has nothing to retry.
    case notRetryable(JobID)
    case jobIsOver(JobID)
    case invalidRequest(String)
    /// The job's failed items were retried less than ``HostPolicy/retryPause`` ago; the next retry is possible in `seconds`.
    case retriedTooOften(seconds: Int)
    case tooManyDrafts
    /// The job's items would exceed the limit on items without an outcome, either in total or per client.
    case tooManyOpenItems
    case noDraft
    /// The caller gave up before its request was processed; nothing was done.
    case givenUp
    /// The call cannot be carried out, for example because the disk is full, the database is read-only, or too many calls are waiting. The text
    /// contains the reason.
    case storage(String)

    /// The content that must be sent again when a start is repeated.
    enum StartedContent: Sendable, Equatable {
        case books
        case file
        case photos
        /// One book, identified by the client's key.
        case keyedBook
    }
}

extension HostFailure {
    /// A worker claimed work before it attached.
    static let notAttached = HostFailure.invalidRequest("a worker must attach before it claims")

    /// The failure as an RPC error with the error code of the HTTP API (http-api.md "Error codes").
    var rpc: RPCApplicationError {
        switch self {
        case .unauthorized: error(.unauthorized, "unknown job, or missing or wrong token")
        case .tokenExpired: error(.tokenExpired, "the token has expired")
        case .tokenRefreshTooEarly(let seconds):
            error(
                .tokenRefreshTooEarly, "the token cannot be refreshed for another \(seconds) s",
                ["refreshableInSeconds": .integer(seconds)])
        case .jobExists(let id, let status, let content):
            error(
                .jobExists, content.repetition(of: id), Self.details(id, status))
        case .resultsNotReady(let id, let status):
            error(
                .notFound, "Results are not ready: the job is \(status.rawValue)", Self.details(id, status))
        case .noResults(let id, let ttl):
            error(
                .notFound,
                "Results not found or expired. Results are stored for \(ttl.words) after job completion.",
                ["jobId": .text(id.text), "resultsKey": .text("job-results:\(id)"), "ttl": .text(ttl.words)])
        case .scanWithoutResults(let id, let status, let fault):
            error(.notFound, "The scan has no results. \(Self.reason(status, fault))", Self.details(id, status, fault))
        case .notAnImport(let id, let pipeline):
            error(
                .notFound, "Job \(id) is not an import. See \(APIPath.results(id, of: pipeline)).",
                ["jobId": .text(id.text), "pipeline": .text(pipeline.rawValue)])
        case .noJob(let id): error(.notFound, "no job \(id)", ["jobId": .text(id.text)])
        case .notRetryable(let id):
            error(
                .jobNotRetryable, "Job \(id) is an import, which cannot be retried. Upload the file again.",
                ["jobId": .text(id.text)])
        case .jobIsOver(let id): error(.invalidRequest, "job \(id) has ended", ["jobId": .text(id.text)])
        case .invalidRequest(let reason): error(.invalidRequest, reason)
        case .retriedTooOften(let seconds):
            error(
                .rateLimitExceeded, "The job's failed books were retried less than a minute ago.",
                ["retryAfter": .integer(seconds)], retryAfter: seconds)
        case .tooManyDrafts: error(.serviceUnavailable, "too many jobs are being started at the moment", retryAfter: 1)
        case .tooManyOpenItems:
            error(
                .serviceUnavailable, "too many books are waiting to be looked up, in total or from this client",
                retryAfter: 60)
        case .noDraft: error(.invalidRequest, "no such draft on this connection")
        case .givenUp: error(.serviceUnavailable, "the caller stopped waiting", retryAfter: 1)
        case .storage(let reason):
            error(
                .serviceUnavailable, "progress-host cannot process the request: \(reason)",
                ["service": .text(ServiceName.progressHost.rawValue), "reason": .text(reason)], retryAfter: 5)
        }
    }

    private static func reason(_ status: JobStatus, _ fault: PhotoFault?) -> String {
        fault?.message ?? (status == .cancelled ? "It was cancelled." : "Please scan the photos again.")
    }

    private static func details(_ id: JobID, _ status: JobStatus, _ fault: PhotoFault? = nil) -> [String: DetailValue] {
        var details: [String: DetailValue] = ["jobId": .text(id.text), "status": .text(status.rawValue)]
        if let fault { details["reason"] = .text(fault.code.rawValue) }
        return details
    }

    private func error(
        _ code: APIErrorCode, _ message: String, _ details: [String: DetailValue]? = nil, retryAfter: Int? = nil
    ) -> RPCApplicationError {
        let encoded = details.flatMap { try? BodyCoding.encode($0) }
        return RPCApplicationError(
            code: code.rawValue, message: message, details: encoded, retryAfterSeconds: retryAfter)
    }
}

extension HostFailure.StartedContent {
    /// The message for a job that already exists, with what to send instead.
    fileprivate func repetition(of id: JobID) -> String {
        let same: String
        switch self {
        case .books: same = "the same books"
        case .file: same = "the same file"
        case .photos: same = "the same photos"
        case .keyedBook: return "The idempotencyKey was already used for a different book (job \(id)). Use another key."
        }
        return "Job \(id) already exists. To repeat its start, send \(same) and a token of the job."
    }
}

extension Duration {
    /// The duration in the largest unit that divides it (hours, minutes or seconds), in words: "24 hours", "90 minutes".
    fileprivate var words: String {
        let seconds = components.seconds
        let (count, unit) =
            seconds % 3_600 == 0
            ? (seconds / 3_600, "hour") : seconds % 60 == 0 ? (seconds / 60, "minute") : (seconds, "second")
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}

extension RPCReply {
    /// Replies with a result from the engine.
    func answer(_ result: Swift.Result<Result, HostFailure>) {
        answer(result) { try BodyCoding.encode($0) }
    }

    /// Replies with a result encoded by `encoding`.
    func answer(_ result: Swift.Result<Result, HostFailure>, encoding: (Result) throws -> ByteBuffer) {
        switch result {
        case .success(let value): succeed { try encoding(value) }
        case .failure(let failure): fail(failure.rpc)
        }
    }
}
