import SuiteMethods

/// A connected enrichment-worker.
struct WorkerPeer {
    /// A claim that waits for work.
    struct Claim {
        var limit: Int
        var perJob: Int
        var reply: Reply<ClaimWork.Result>
    }

    let link: any PeerLink
    var claim: Claim?
}
