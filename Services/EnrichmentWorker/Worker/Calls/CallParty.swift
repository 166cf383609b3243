import BookstrackContract

/// On whose behalf a provider is asked: parties take turns, and each has its share of calls in flight (jobs.md "Work").
enum CallParty: Hashable, Sendable {
    /// A job of a client (``ClaimedItem/client``).
    case job(JobID, client: String)
    /// One search of a client, by a number of its own.
    case search(UInt64, client: String?)
    /// Questions that are asked for the cache.
    case refresh

    /// Whose share of a daily budget its questions count against; nil where shares do not count.
    var client: String? {
        switch self {
        case .job(_, let client): client.isEmpty ? nil : client
        case .search(_, let client): client
        case .refresh: nil
        }
    }
}
