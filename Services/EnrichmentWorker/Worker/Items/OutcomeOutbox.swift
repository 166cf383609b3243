import BookstrackContract
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability
import ProviderClient
import SuiteMethods

/// Records outcomes at the host. Keeps each outcome until it is confirmed, permanently refused or withdrawn, even if the connection is lost, the host
/// restarts, or the host cannot accept it at the moment (Services/README.md "When a process is down").
final class OutcomeOutbox: Sendable {
    private struct State: Sendable {
        var queue: OutboxQueue
        /// Number of consecutive refusals; the pause between calls grows with each refusal.
        var refusals = 0
        var isPausing = false
        /// The current fault in recording outcomes.
        var faults = LogOnce()
    }

    private static let shortestPause = Duration.milliseconds(250)
    private static let maxPause = Duration.seconds(5)

    private let host: RPCClient
    private let leased: LeasedItems
    private let limit: Int
    private let clock: any SuiteClock
    private let logger: Logger
    private let state: NIOLockedValueBox<State>

    /// - Parameter limit: Number of outcomes at which ``isFull`` becomes true.
    init(
        host: RPCClient, leased: LeasedItems, limit: Int, limits: OutboxQueue.Limits = .init(),
        clock: any SuiteClock, logger: Logger
    ) {
        self.host = host
        self.leased = leased
        self.limit = limit
        self.clock = clock
        self.logger = logger
        state = NIOLockedValueBox(State(queue: OutboxQueue(limits: limits)))
    }

    /// Number of unconfirmed outcomes.
    var count: Int { state.withLockedValue { $0.queue.count } }

    /// Whether no more items should be claimed.
    var isFull: Bool { count >= limit }

    /// Adds an outcome, and sends it if a call can be made now.
    func add(_ item: FinishedItem) {
        state.withLockedValue { $0.queue.append(item) }
        sendCalls()
    }

    /// Sends waiting outcomes. Must be called when the host is connected again.
    func sendCalls() {
        while host.isConnected, let call = nextCall() {
            Task { await send(call) }
        }
    }

    /// Waits until no outcome is left, `limit` has passed, or the task is cancelled.
    func drain(within limit: Duration) async {
        let deadline = clock.now.advanced(by: limit)
        while count > 0, clock.now < deadline {
            let next = min(deadline, clock.now.advanced(by: .milliseconds(20)))
            guard (try? await clock.sleep(until: next)) != nil else { return }
        }
    }

    private func nextCall() -> [FinishedItem]? {
        let (call, hasRoom) = state.withLockedValue { state in
            let wasFull = state.queue.count >= limit
            let call = state.isPausing ? nil : state.queue.nextCall { leased.contains($0.id) }
            return (call, wasFull && state.queue.count < limit)
        }
        // If all waiting outcomes belonged to withdrawn jobs, no call is made whose end would wake the claim loops.
        if hasRoom { leased.room.signal() }
        return call
    }

    private func send(_ call: [FinishedItem]) async {
        do {
            let work = RecordWork(outcomes: call.map(\.outcome), rows: call.map(\.row))
            _ = try await host.callRaw(RecordWork.name, work.raw(), deadline: RecordWork.deadline)
            if state.withLockedValue({ $0.faults.end() }) { logger.notice("progress-host accepts outcomes again") }
            end(call)
        } catch let error where Self.mayRepeat(error) {
            await putBack(call, error)
        } catch {
            logger.error("outcomes were refused", metadata: ["items": "\(call.count)", "error": "\(error)"])
            end(call)
        }
        sendCalls()
    }

    /// Ends a call whose outcomes the host has confirmed or refused for good.
    private func end(_ call: [FinishedItem]) {
        state.withLockedValue { state in
            state.queue.end(call)
            state.refusals = 0
        }
        leased.remove(call.map(\.id))
    }

    /// Whether a failed call may be repeated. Recording an outcome again has no further effect, so every call that may have been lost is repeated.
    private static func mayRepeat(_ error: RPCError) -> Bool {
        guard case .remote = error.kind else { return error.kind != .frameTooLarge }
        return error.applicationCode == APIErrorCode.serviceUnavailable.rawValue
    }

    private func putBack(_ call: [FinishedItem], _ error: RPCError) async {
        let next = state.withLockedValue { state -> (pause: Duration, isNewFault: Bool)? in
            state.queue.putBack(call)
            guard host.isConnected, !state.isPausing else { return nil }
            state.isPausing = true
            state.refusals += 1
            let pause = min(Self.maxPause, Self.shortestPause * (1 << min(state.refusals - 1, 8)))
            return (pause, state.faults.note("\(error)"))
        }
        guard let (pause, isNewFault) = next else { return }
        if isNewFault {
            logger.warning("progress-host did not accept outcomes; retrying", metadata: ["error": "\(error)"])
        }
        try? await clock.sleep(until: clock.now.advanced(by: pause))
        state.withLockedValue { $0.isPausing = false }
    }
}

/// An item's outcome on its way to the host.
struct FinishedItem: Sendable {
    let id: LeasedItem.ID
    let outcome: ItemOutcome
    /// The item's row as in the results, in JSON.
    let row: ByteBuffer

    /// Size of the parts that depend on the book, in bytes.
    var bytes: Int { row.readableBytes + outcome.title.utf8.count + (outcome.identity?.utf8.count ?? 0) }
}

/// The outcomes waiting to be recorded; decides when the next call is made and how many outcomes it contains.
///
/// A value type. While no call is in flight, the first outcome is sent immediately; otherwise, outcomes gather until no call is in flight or, below
/// the maximum number of calls, until they fill one.
struct OutboxQueue: Sendable {
    struct Limits: Sendable {
        /// Maximum number of outcomes in one call.
        var items = 64
        /// Maximum size in bytes of the outcomes in one call (``FinishedItem/bytes``); a frame has at most 1 MiB.
        var bytes = 700 << 10
        /// Maximum number of calls in flight.
        var calls = 4
    }

    private let limits: Limits
    private var waiting: [FinishedItem] = []
    private var waitingBytes = 0
    private(set) var callsInFlight = 0
    private var inFlight = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Number of unconfirmed outcomes.
    var count: Int { waiting.count + inFlight }

    mutating func append(_ item: FinishedItem) {
        waiting.append(item)
        waitingBytes += item.bytes
    }

    /// The outcomes for the next call; nil if there are none or the call must wait. Items that are no longer needed are dropped.
    mutating func nextCall(isWanted: (FinishedItem) -> Bool) -> [FinishedItem]? {
        let isFull = waiting.count >= limits.items || waitingBytes >= limits.bytes
        guard callsInFlight == 0 || (isFull && callsInFlight < limits.calls) else { return nil }
        var call: [FinishedItem] = []
        var (taken, bytes) = (0, 0)
        for item in waiting {
            let size = item.bytes
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

    /// Ends a call. Its outcomes are no longer kept.
    mutating func end(_ call: [FinishedItem]) {
        callsInFlight -= 1
        inFlight -= call.count
    }

    /// Ends a failed call; its outcomes are sent again, before the others.
    mutating func putBack(_ call: [FinishedItem]) {
        end(call)
        waiting.insert(contentsOf: call, at: 0)
        waitingBytes += call.reduce(0) { $0 + $1.bytes }
    }
}
