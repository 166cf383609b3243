package import BookstrackContract
import JSONRPC

/// Starts a job whose items fit into one frame. Answered by progress-host.
///
/// Application errors: `JOB_EXISTS` with `details{jobId, status}` if the jobId is in use with a different body or the caller is not entitled to
/// another token; `INVALID_REQUEST` for a job with no items or too many; `SERVICE_UNAVAILABLE`, for example if storage refuses writes, or if all open
/// jobs or those of the client would have too many items without an outcome.
package enum CreateJob: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "jobs.create"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The client's own identifier, or a new one.
        package var jobId: JobID
        /// The job's kind.
        package var pipeline: Pipeline
        /// SHA-256 of the canonical items, in hex: equal digests mean equal bodies (http-api.md "Starting a job").
        package var digest: String
        /// The items in the order of the request.
        package var items: [BookQuery]
        /// Origin of the start request.
        package var origin: JobOrigin

        package init(
            jobId: JobID, pipeline: Pipeline, digest: String, items: [BookQuery], origin: JobOrigin = .peer
        ) {
            self.jobId = jobId
            self.pipeline = pipeline
            self.digest = digest
            self.items = items
            self.origin = origin
        }
    }
}

/// The response to a start request; the job is on disk when the response arrives (jobs.md "Durability").
package struct CreatedJob: Codable, Sendable {
    /// Identifier of the job that was started, now or earlier.
    package var jobId: JobID
    /// A valid token; a repeated start whose caller is not entitled to one fails (http-api.md "Starting a job").
    package var token: String
    /// The job's state; any state is possible after a repeated start.
    package var status: JobStatus
    /// Number of items.
    package var totalCount: Int

    package init(jobId: JobID, token: String, status: JobStatus, totalCount: Int) {
        self.jobId = jobId
        self.token = token
        self.status = status
        self.totalCount = totalCount
    }
}

/// The origin and the options of a job's start request. progress-host stores them with the job, except for `shownToken` and `isKeyed`.
package struct JobOrigin: Codable, Sendable, Equatable {
    package typealias Priority = JobPriority

    /// Which books a job's `job_complete` contains (websocket.md "Payloads").
    package enum CompletionBooks: String, Codable, Sendable, CaseIterable {
        /// No books, only the summary, as the contract specifies.
        case none
        /// `enrichedBooks[]`: the start request contained `X-Client-Version: ios-…`.
        case enriched
        /// `books[]` and `errors[]` of an import that was started on the route for shipped apps.
        case imported
    }

    /// Identifies the client when clients take turns and share paid budgets: the bytes of its IPv4 address, or of its IPv6 address's /64 prefix, in
    /// hexadecimal and separated by colons. Empty if unknown; "peer" for ``peer``.
    package var client: String
    /// A token of the job, presented by the caller of a repeated start.
    package var shownToken: String?
    /// Whether the jobId is derived from a client's key and address. The client may then repeat the start at any time, and a book whose lookup was
    /// cancelled or failed temporarily is then looked up again (http-api.md "One book").
    package var isKeyed: Bool?
    /// The requested priority; if nil, the size of the job determines it.
    package var priority: Priority?
    package var completionBooks: CompletionBooks
    /// What triggered the job; nil for the pipeline's default.
    package var source: JobSource?
    /// URL for the job's webhooks; nil for none. The caller has already checked it (``WebhookHosts``).
    package var callbackURL: String?

    package init(
        client: String = "", shownToken: String? = nil, isKeyed: Bool? = nil, priority: Priority? = nil,
        completionBooks: CompletionBooks = .none, source: JobSource? = nil, callbackURL: String? = nil
    ) {
        self.client = client
        self.shownToken = shownToken
        self.isKeyed = isKeyed
        self.priority = priority
        self.completionBooks = completionBooks
        self.source = source
        self.callbackURL = callbackURL
    }

    /// The origin of jobs started by peers on the suite's own sockets.
    package static let peer = JobOrigin(client: "peer")
}
