import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods

/// An attached enrichment-worker.
struct WorkerPeer {
    /// A claim that is waiting for work.
    struct Claim {
        var limit: Int
        var perJob: Int
        /// Whether the worker is still waiting; if it is not, items leased to it would stay idle until the lease ends.
        var isAwaited: @Sendable () -> Bool
        var reply: Reply<ClaimWork.Result>
    }

    /// Only one claim of each scope may wait.
    var claims: [ClaimWork.Scope: Claim] = [:]
    /// Sequence number of this worker's last claim that was answered with work; 0 before the first.
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

/// The room for items in the response to a claim, which must fit into one RPC frame of 1 MiB (Services/README.md "JSON-RPC").
struct ClaimRoom {
    /// Maximum size of the items in a response, in bytes, unless there is only one.
    static let bytes = 900 << 10
    /// Estimated length of an item without its query and spine: member names, job identifier, class, client, trace and numbers.
    private static let bytesAroundQuery = 320

    private var left = bytes
    private var isUntouched = true
    /// Whether an item was refused; later items must not overtake it.
    private(set) var isFull = false

    /// Reserves room for an item; false if it must wait for the next claim. The first item always fits, so that none waits forever.
    mutating func take(_ query: BookQuery, _ spine: SpineItem?) throws -> Bool {
        let spineLength = try spine.map { try BodyCoding.encode($0).readableBytes } ?? 0
        let length = ItemPages.jsonLength(of: query) + spineLength + Self.bytesAroundQuery
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
    /// The lanes from which the claim's items are taken.
    var lanes: [WorkQueue.Lane] {
        switch self {
        case .firstLookups: [.high, .normal, .low]
        case .interactive: [.high]
        case .later: [.followUp, .backgroundRetry]
        }
    }
}
