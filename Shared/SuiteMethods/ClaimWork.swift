package import BookstrackContract
import JSON
import JSONRPC
package import NIOCore
package import Observability

/// Claims items. The call is answered when there is at least one item, or without items after `waitMilliseconds`.
///
/// Only one claim of each scope may wait per connection. A second claim with the same scope replaces the first, which is then answered without items.
///
/// Items are handed out by priority, except that up to a quarter of a claim is left to lower priorities, and within a priority round robin by client
/// and then by job. A lease ends when the item is recorded or released, when its job ends, when the connection closes, or after two minutes.
///
/// Application errors: `INVALID_REQUEST` if the worker is not attached (``AttachWorker``), `SERVICE_UNAVAILABLE`.
package enum ClaimWork: RPCMethod {
    package static let name = "work.claim"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(40)

    /// The kind of work requested by a claim. Later work has its own claims, so it never displaces first lookups.
    package enum Scope: String, Codable, Sendable, CaseIterable {
        case firstLookups
        /// First lookups of interactive jobs only; a worker claims them with its reserved capacity.
        case interactive
        /// Follow-ups and background retries.
        case later
    }

    package struct Parameters: Codable, Sendable {
        /// Maximum number of items, 1 to 500.
        package var limit: Int
        /// Maximum number of items of one job that are leased to the worker at the same time; first lookups and later work count separately.
        package var perJob: Int
        /// Maximum wait for work in milliseconds, up to 30 000.
        package var waitMilliseconds: Int
        package var scope: Scope

        package init(limit: Int, perJob: Int, waitMilliseconds: Int, scope: Scope) {
            self.limit = limit
            self.perJob = perJob
            self.waitMilliseconds = waitMilliseconds
            self.scope = scope
        }
    }

    package struct Result: Codable, Sendable {
        /// At most `limit` items; each is leased.
        package var items: [ClaimedItem]

        package init(items: [ClaimedItem]) { self.items = items }

        /// The encoded form, written without an `Encoder`, because progress-host does this for every item. Throws `EncodingError`.
        package func raw() throws -> ByteBuffer {
            var json = JSONWriter()
            json.openObject()
            json.beginMember("items", at: 1)
            json.openArray()
            for item in items {
                json.beginNext(at: 2)
                try item.write(to: &json)
            }
            json.close(to: 0)
            return json.buffer
        }
    }
}

/// An item leased to a worker.
package struct ClaimedItem: Codable, Sendable {
    /// The item's job and index.
    package var key: ItemKey
    /// The row to look up.
    package var query: BookQuery
    /// Why the item was handed out.
    package var workClass: WorkClass
    /// Number of earlier attempts that failed; for later work, the same as ``ReadJobItems/Item/retryRound``.
    package var attempts: Int
    /// Key by which paid budgets are divided (``JobOrigin/client``); empty if unknown.
    package var client: String
    /// The spine from which the query was read; nil for jobs that are not scans.
    package var spine: SpineItem?
    /// The trace and request that started the job (`TraceContext`), if known; the request's identifier is present only if it differs from the
    /// trace's.
    package var traceId: String?
    package var requestId: String?

    package init(
        key: ItemKey, query: BookQuery, workClass: WorkClass, attempts: Int, client: String = "",
        spine: SpineItem? = nil, trace: TraceContext? = nil
    ) {
        self.key = key
        self.query = query
        self.workClass = workClass
        self.attempts = attempts
        self.client = client
        self.spine = spine
        traceId = trace?.traceID
        requestId = trace?.ownRequestID
    }

    fileprivate func write(to json: inout JSONWriter) throws {
        json.openObject()
        let depth = json.depth
        json.beginMember("key", at: depth)
        key.write(to: &json)
        json.beginMember("query", at: depth)
        query.write(to: &json)
        json.writeMember("workClass", workClass.rawValue, at: depth)
        json.writeMember("attempts", attempts, at: depth)
        json.writeMember("client", client, at: depth)
        if let spine {
            json.beginMember("spine", at: depth)
            json.write(json: try BodyCoding.encode(spine))
        }
        if let traceId { json.writeMember("traceId", traceId, at: depth) }
        if let requestId { json.writeMember("requestId", requestId, at: depth) }
        json.close(to: depth - 1)
    }

    /// The trace and request that started the job; nil if unknown.
    package var trace: TraceContext? { traceId.flatMap { TraceContext(traceID: $0, requestID: requestId) } }
}

/// Identifies one item of one job.
package struct ItemKey: Codable, Sendable, Hashable {
    /// Identifier of the job to which the item belongs.
    package var jobId: JobID
    /// Index in the job's input, from 0.
    package var index: Int

    package init(jobId: JobID, index: Int) {
        self.jobId = jobId
        self.index = index
    }

    /// Reads the encoded form without a `Decoder`; nil if the JSON has a different form.
    init?(_ json: ByteBuffer) {
        guard let members = ObjectReader(json), let jobId = members.string("jobId").flatMap({ JobID($0) }),
            let index = members.integer("index")
        else { return nil }
        self.init(jobId: jobId, index: index)
    }

    /// Writes the encoded form without an `Encoder`.
    func write(to json: inout JSONWriter) {
        json.openObject()
        let depth = json.depth
        json.writeMember("jobId", jobId.text, at: depth)
        json.writeMember("index", index, at: depth)
        json.close(to: depth - 1)
    }
}

extension BookQuery {
    fileprivate func write(to json: inout JSONWriter) {
        json.openObject()
        let depth = json.depth
        if let title { json.writeMember("title", title, at: depth) }
        if let author { json.writeMember("author", author, at: depth) }
        if let isbn { json.writeMember("isbn", isbn, at: depth) }
        if let workId { json.writeMember("workId", workId, at: depth) }
        if let row { json.writeMember("row", row, at: depth) }
        json.close(to: depth - 1)
    }
}

/// Why an item is handed to a worker, in order of priority (jobs.md "Work").
package enum WorkClass: String, Codable, Sendable, CaseIterable, Comparable {
    /// An item of a job with priority `high`, which jobs with at most 5 books have unless a different one was requested.
    case interactive
    /// An item of any other job.
    case bulk
    /// An item that has its result but lacks facts that were not immediately available, for example the work's year of first publication.
    case followUp
    /// A failed item that is retried after the end of its job.
    case backgroundRetry

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.order < rhs.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
