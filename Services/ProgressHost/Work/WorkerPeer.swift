import SuiteMethods

/// A connected enrichment-worker.
struct WorkerPeer {
    /// A claim that waits for work.
    struct Claim {
        var limit: Int
        var perJob: Int
        /// Tells a claim from a later one of the same worker when its timer fires.
        var ticket: Int
        var reply: Reply<ClaimWork.Result>
    }

    let link: any PeerLink
    var claim: Claim?
}
