package import BookstrackContract
package import Observability

/// Names one item of one job.
package struct ItemKey: Codable, Sendable, Hashable {
    package var jobId: JobID
    /// Place in the job's input, from 0.
    package var index: Int

    package init(jobId: JobID, index: Int) {
        self.jobId = jobId
        self.index = index
    }
}

/// Why an item is handed to a worker; the earlier ones come first (spec/05 "interactive before bulk").
package enum WorkClass: String, Codable, Sendable, CaseIterable, Comparable {
    /// An item of a job of at most 5 books.
    case interactive
    /// An item of a larger job.
    case bulk
    /// An item that has its result and lacks facts that were not at hand, for example the work's first year.
    case followUp
    /// An item that failed and is tried again after its job's end.
    case backgroundRetry

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.order < rhs.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// An item under lease.
package struct ClaimedItem: Codable, Sendable {
    package var key: ItemKey
    package var query: BookQuery
    package var workClass: WorkClass
    /// Number of earlier attempts within the job.
    package var attempts: Int
    /// Trace and request of the job's start (`TraceContext`), where they are known; the request's identifier only where it is another.
    package var traceId: String?
    package var requestId: String?

    package init(key: ItemKey, query: BookQuery, workClass: WorkClass, attempts: Int, trace: TraceContext? = nil) {
        self.key = key
        self.query = query
        self.workClass = workClass
        self.attempts = attempts
        traceId = trace?.traceID
        requestId = trace.flatMap { $0.requestID == $0.traceID ? nil : $0.requestID }
    }

    /// What the job's start belongs to.
    package var trace: TraceContext? { traceId.flatMap { TraceContext(traceID: $0, requestID: requestId) } }
}
