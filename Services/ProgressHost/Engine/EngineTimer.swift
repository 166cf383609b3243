import SuiteMethods
import SuiteStorage

/// What the engine wakes up for.
enum EngineTimer: Sendable, Hashable {
    /// A held progress update of a job is due.
    case flush(job: Int64)
    /// A running job may have been silent for too long.
    case keepAlive(job: Int64)
    /// Some job runs out of time.
    case deadlines
    /// A failed item is tried again.
    case retryItem(ItemNumber)
    /// Some leases may have run out.
    case leases
    /// A socket's handshake or heartbeat.
    case socket(SocketKey)
    /// Streams wait in line.
    case streams
    /// A worker's claim has waited long enough.
    case claim(PeerID, ClaimWork.Scope)
    /// Items are due for a follow-up or a background retry.
    case later
    /// Tokens of live sockets move on, results that have lived long enough go.
    case housekeeping
    /// Workers that were here before the process started have had time to come back.
    case returnGrace
    /// Storage is tried again after it refused.
    case storageProbe

    /// Whether the timer may write, so that it has to wait while storage refuses.
    var writes: Bool {
        switch self {
        case .flush, .deadlines, .later, .housekeeping: true
        case .keepAlive, .retryItem, .leases, .socket, .streams, .claim, .returnGrace, .storageProbe: false
        }
    }
}
