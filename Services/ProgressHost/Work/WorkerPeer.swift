import SuiteMethods

/// A connected enrichment-worker.
struct WorkerPeer {
    /// What a claim asks for; one claim of each scope may wait.
    enum Scope: CaseIterable, Hashable {
        case everything
        /// First look-ups of interactive jobs.
        case interactive

        var classes: [WorkClass] {
            switch self {
            case .everything: WorkClass.allCases
            case .interactive: [.interactive]
            }
        }
    }

    /// A claim that waits for work.
    struct Claim {
        var limit: Int
        var perJob: Int
        /// Whether the worker still waits; what is leased to one that does not lies idle until the lease ends.
        var isAwaited: @Sendable () -> Bool
        var reply: Reply<ClaimWork.Result>
    }

    let link: any PeerLink
    var claims: [Scope: Claim] = [:]
}
