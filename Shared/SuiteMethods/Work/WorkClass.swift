/// Why an item is handed to a worker; the earlier ones come first (jobs.md "Work").
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
