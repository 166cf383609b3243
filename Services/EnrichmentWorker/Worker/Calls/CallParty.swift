import BookstrackContract

/// On whose behalf a provider is asked: parties take turns, and each has its share of calls in flight (spec/05).
enum CallParty: Hashable, Sendable {
    case job(JobID)
    /// One search, by a number of its own.
    case search(UInt64)
    /// Questions that are asked for the cache.
    case refresh
}
