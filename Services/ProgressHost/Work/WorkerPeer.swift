import BookstrackContract
import SuiteMethods

/// A connected enrichment-worker.
struct WorkerPeer {
    /// A claim that waits for work.
    struct Claim {
        var limit: Int
        var perJob: Int
        /// Whether the worker still waits; otherwise items leased to it would stay idle until the lease ends.
        var isAwaited: @Sendable () -> Bool
        var reply: Reply<ClaimWork.Result>
    }

    /// One claim of each scope may wait.
    var claims: [ClaimWork.Scope: Claim] = [:]
    /// Sequence number of the last claim of this worker that was answered with work; 0 before the first.
    var lastServed: UInt64 = 0
}

/// A claim that is being answered.
struct OpenClaim {
    let peer: PeerID
    let claim: WorkerPeer.Claim
    let scope: ClaimWork.Scope
    var items: [ClaimedItem] = []
    var room = ClaimRoom()
}

/// The room for items in the answer to a claim, which has to fit into one RPC frame of 1 MiB (Services/README.md
/// "JSON-RPC").
struct ClaimRoom {
    /// Maximum size of an answer's items.
    static let bytes = 900 << 10
    /// Length of an item without its query: names, job identifier, class, client and numbers.
    private static let bytesAroundQuery = 320

    private var left = bytes
    private var isUntouched = true
    /// Whether an item was refused; later items must not overtake it.
    private(set) var isFull = false

    /// Reserves room for an item; false if it must wait for the next claim. The first item always fits, so that none waits forever.
    mutating func take(_ query: BookQuery) -> Bool {
        let length = ItemPages.jsonLength(of: query) + Self.bytesAroundQuery
        guard isUntouched || length <= left, !isFull else {
            isFull = true
            return false
        }
        isUntouched = false
        left -= length
        return true
    }
}

extension ClaimWork.Scope {
    /// The lanes from which its items are taken.
    var lanes: [WorkQueue.Lane] {
        switch self {
        case .firstLookups: [.high, .normal, .low]
        case .interactive: [.high]
        case .later: [.followUp, .backgroundRetry]
        }
    }
}
