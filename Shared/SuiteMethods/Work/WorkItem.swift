package import BookstrackContract

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

    package init(key: ItemKey, query: BookQuery, workClass: WorkClass, attempts: Int) {
        self.key = key
        self.query = query
        self.workClass = workClass
        self.attempts = attempts
    }
}
