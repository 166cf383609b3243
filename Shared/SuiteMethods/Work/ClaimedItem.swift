package import BookstrackContract
package import Observability

/// An item under lease.
package struct ClaimedItem: Codable, Sendable {
    /// Which item it is.
    package var key: ItemKey
    /// What is looked for.
    package var query: BookQuery
    /// Why it is handed out.
    package var workClass: WorkClass
    /// Number of earlier attempts within the job.
    package var attempts: Int
    /// Under which paid budgets are shared (``JobOrigin/client``); empty when it is unknown.
    package var client: String
    /// Trace and request of the job's start (`TraceContext`), where they are known; the request's identifier only where it is another.
    package var traceId: String?
    package var requestId: String?

    package init(
        key: ItemKey, query: BookQuery, workClass: WorkClass, attempts: Int, client: String = "",
        trace: TraceContext? = nil
    ) {
        self.key = key
        self.query = query
        self.workClass = workClass
        self.attempts = attempts
        self.client = client
        traceId = trace?.traceID
        requestId = trace.flatMap { $0.requestID == $0.traceID ? nil : $0.requestID }
    }

    /// What the job's start belongs to.
    package var trace: TraceContext? { traceId.flatMap { TraceContext(traceID: $0, requestID: requestId) } }
}
