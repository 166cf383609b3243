/// Who waits for a provider call; earlier cases are served first.
package enum CallPriority: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// A person waits for one answer.
    case interactive
    /// A job's items.
    case bulk
    /// Refreshes, background retries, authors after the fact.
    case background

    /// The lesser waits longer: `.background < .bulk < .interactive`.
    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue > rhs.rawValue }
}
