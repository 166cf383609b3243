import NIOCore

/// Outcomes that wait to be recorded, and when the next call takes how many of them.
///
/// A value. While no call is in flight, the first outcome goes at once; while one is, outcomes gather until it ends or they
/// fill a call of their own.
struct OutboxQueue: Sendable {
    /// The bounds of a call.
    struct Limits: Sendable {
        /// Outcomes in one call.
        var items = 64
        /// Bytes of rows in one call; a frame has 1 MiB.
        var bytes = 700 << 10
        /// Calls in flight.
        var calls = 4
    }

    private let limits: Limits
    private var waiting: [FinishedItem] = []
    private var waitingBytes = 0
    private(set) var callsInFlight = 0
    private var inFlight = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Outcomes that are not confirmed.
    var count: Int { waiting.count + inFlight }

    mutating func append(_ item: FinishedItem) {
        waiting.append(item)
        waitingBytes += item.row.readableBytes
    }

    /// The outcomes of the next call; nil when it has to wait. Items that are no longer wanted are left out.
    mutating func nextCall(isWanted: (FinishedItem) -> Bool) -> [FinishedItem]? {
        let isFull = waiting.count >= limits.items || waitingBytes >= limits.bytes
        guard callsInFlight == 0 || (isFull && callsInFlight < limits.calls) else { return nil }
        var call: [FinishedItem] = []
        var (taken, bytes) = (0, 0)
        for item in waiting {
            let size = item.row.readableBytes
            if call.count == limits.items || (!call.isEmpty && bytes + size > limits.bytes) { break }
            taken += 1
            waitingBytes -= size
            guard isWanted(item) else { continue }
            call.append(item)
            bytes += size
        }
        waiting.removeFirst(taken)
        guard !call.isEmpty else { return nil }
        callsInFlight += 1
        inFlight += call.count
        return call
    }

    /// The host has confirmed a call, or its outcomes are given up.
    mutating func end(_ call: [FinishedItem]) {
        callsInFlight -= 1
        inFlight -= call.count
    }

    /// A call may be lost: its outcomes are sent again, before the others.
    mutating func putBack(_ call: [FinishedItem]) {
        end(call)
        waiting.insert(contentsOf: call, at: 0)
        waitingBytes += call.reduce(0) { $0 + $1.row.readableBytes }
    }
}
