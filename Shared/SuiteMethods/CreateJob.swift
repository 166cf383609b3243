package import BookstrackContract
import JSONRPC

/// Starts a job whose items fit into one frame. Answered by progress-host.
///
/// Application errors: `JOB_EXISTS` with `details{jobId, status}` when the jobId is taken by another body or the caller
/// has no right to another token, `SERVICE_UNAVAILABLE` when storage refuses.
package enum CreateJob: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "jobs.create"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The client's own, or a new one.
        package var jobId: JobID
        /// The job's kind.
        package var pipeline: Pipeline
        /// SHA-256 of the canonical items, in hex: equal digests are equal bodies (http-api.md "Starting a job").
        package var digest: String
        /// The items in the order of the request.
        package var items: [BookQuery]
        /// Where the start came from.
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

/// The answer to a start; the job is on disk when it arrives (jobs.md "Durability").
package struct CreatedJob: Codable, Sendable {
    /// The job.
    package var jobId: JobID
    /// A valid token; a repeated start gets another one if the caller is authorised (http-api.md "Starting a job").
    package var token: String
    /// The job's state; for a repeated start it may be any.
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

/// The origin of a job's start, and its options. progress-host stores it with the job, except for `shownToken` and
/// `isKeyed`.
package struct JobOrigin: Codable, Sendable, Equatable {
    package typealias Priority = JobPriority

    /// Which books the `job_complete` of a job carries (websocket.md "Payloads").
    package enum CompletionBooks: String, Codable, Sendable, CaseIterable {
        /// None: the summary only, as the contract says.
        case none
        /// `enrichedBooks[]`: the start carried `X-Client-Version: ios-…`.
        case enriched
        /// `books[]` and `errors[]` of an import: it was started on the route of a shipped app.
        case imported
    }

    /// Key by which turns and paid budgets are shared: the client's address as limits count it, the /64 of an IPv6 address. Empty if unknown.
    package var client: String
    /// A token of the job that the caller of a repeated start holds.
    package var shownToken: String?
    /// True if the jobId is derived from a key of the client and its address: the client may repeat the start at any time, and a failure that
    /// may have passed by then is looked up again (http-api.md "One book").
    package var isKeyed: Bool?
    /// The requested priority; if nil, the size of the job decides.
    package var priority: Priority?
    package var completionBooks: CompletionBooks
    /// What triggered the job; nil for the pipeline's default.
    package var source: JobSource?
    /// Where webhooks of the job go; nil for none. The caller has checked it (``WebhookHosts``).
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

    /// The origin of jobs that peers on the suite's own sockets start.
    package static let peer = JobOrigin(client: "peer")
}
