import SuiteMethods

/// A connected enrichment-worker.
struct WorkerPeer {
    /// A claim that waits for work.
    struct Claim {
        var limit: Int
        var perJob: Int
        /// Whether the worker still waits; what is leased to one that does not lies idle until the lease ends.
        var isAwaited: @Sendable () -> Bool
        var reply: Reply<ClaimWork.Result>
    }

    let link: any PeerLink
    /// One claim of each scope may wait.
    var claims: [ClaimWork.Scope: Claim] = [:]
    /// Its place among the servings of all workers; 0 before the first.
    var lastServed: UInt64 = 0
}

extension ClaimWork.Scope {
    /// Where items for it are taken from.
    var lanes: [WorkQueue.Lane] {
        switch self {
        case .firstLookups: [.high, .normal, .low]
        case .interactive: [.high]
        case .later: [.followUp, .backgroundRetry]
        }
    }
}
