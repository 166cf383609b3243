import SuiteMethods
import SuiteStorage

/// Timers ordered by time. Each timer is set at most once: setting it again moves it.
///
/// A binary heap, and a dictionary of the actual times. Each timer has at most one valid heap entry. The entry stays valid if the timer is cancelled
/// or moved to a later time, and is corrected when it reaches the top. Therefore, repeatedly cancelling a timer and setting it for a later time adds
/// no entries.
struct TimerQueue<Timer: Hashable> {
    private var heap: [(at: Duration, timer: Timer)] = []
    private var times: [Timer: Duration] = [:]
    /// Time of each timer's valid heap entry.
    private var entries: [Timer: Duration] = [:]

    /// When to check next, at the latest when the first timer is due; nil if there is nothing to check.
    var next: Duration? { heap.first?.at }

    /// Number of timers that are set.
    var count: Int { times.count }

    /// Number of heap entries, including invalid ones.
    var backlog: Int { heap.count }

    /// When a timer fires; nil if it is not set.
    func time(of timer: Timer) -> Duration? { times[timer] }

    /// Sets a timer, or moves it if it is already set.
    mutating func set(_ timer: Timer, at time: Duration) {
        times[timer] = time
        if let entry = entries[timer], entry <= time { return }
        push(timer, at: time)
    }

    /// Sets a timer unless it already fires earlier.
    mutating func setAtLatest(_ timer: Timer, at time: Duration) {
        if let old = times[timer], old <= time { return }
        set(timer, at: time)
    }

    /// Cancels a timer; its heap entry stays until it reaches the top.
    mutating func cancel(_ timer: Timer) { times[timer] = nil }

    /// Removes and returns the first timer; nil if none is due.
    mutating func pop(at now: Duration) -> Timer? {
        while let first = heap.first, first.at <= now {
            removeFirst()
            guard entries[first.timer] == first.at else { continue }
            entries[first.timer] = nil
            guard let time = times[first.timer] else { continue }
            if time <= first.at {
                times[first.timer] = nil
                return first.timer
            }
            push(first.timer, at: time)
        }
        return nil
    }

    private mutating func push(_ timer: Timer, at time: Duration) {
        entries[timer] = time
        heap.append((time, timer))
        var child = heap.count - 1
        while child > 0, heap[child].at < heap[(child - 1) / 2].at {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].at < heap[left].at ? right : left
            guard heap[child].at < heap[parent].at else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}

/// The engine's timers.
enum EngineTimer: Sendable, Hashable {
    /// A job's delayed progress update is due.
    case flush(job: Int64)
    /// Watchers of a job may be due for a keep-alive.
    case keepAlive(job: Int64)
    /// The deadline of a job may have passed.
    case deadlines
    /// A failed item is due for another attempt.
    case retryItem(ItemNumber)
    /// Some leases may have expired.
    case leases
    /// A socket's handshake, heartbeat or time limit is due.
    case socket(SocketKey)
    /// Streams have frames to send.
    case streams
    /// A worker's claim of items has waited long enough.
    case claim(PeerID, ClaimWork.Scope)
    /// A worker's claim of a file has waited long enough.
    case importClaim(PeerID)
    /// A worker's claim of photos has waited long enough.
    case scanClaim(PeerID)
    /// Some leases of reading steps may have expired.
    case readingLeases
    /// Attempts to read files or photos have lost their workers and must be counted.
    case lostSteps
    /// Files of reserved imports and scans may have arrived, or may be overdue.
    case reservations
    /// Items may be due for a follow-up or a retry.
    case later
    /// Improvements to an ended job's results may be due to be reported.
    case resultsUpdate(job: Int64)
    /// Clients' acknowledgments must be stored.
    case acknowledgments
    /// A webhook is due.
    case webhooks
    /// A worker's claim of a webhook has waited long enough.
    case webhookClaim(PeerID)
    /// Housekeeping is due (``JobEngine/doHousekeeping(_:)``).
    case housekeeping
    /// The period in which items are reserved for returning workers has ended.
    case returnGrace
    /// Storage must be tried again after it refused writes.
    case storageProbe

    /// Whether the timer may write and therefore must wait while storage refuses writes.
    var writes: Bool {
        switch self {
        case .flush, .deadlines, .lostSteps, .reservations, .later, .resultsUpdate, .acknowledgments, .webhooks,
            .housekeeping:
            true
        case .keepAlive, .retryItem, .leases, .socket, .streams, .claim, .importClaim, .scanClaim, .webhookClaim,
            .readingLeases, .returnGrace, .storageProbe:
            false
        }
    }
}
