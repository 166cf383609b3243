import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore

/// Starts result readings when `ReadingQueue` admits them, and paces their pages with `PagePacer`.
final class ReadingLimiter: Sendable {
    typealias Ticket = ReadingQueue.Ticket
    typealias Outcome = Result<ReadingPermit, APIFailure>

    private struct Waiter {
        let eventLoop: any EventLoop
        let timer: Scheduled<Void>
        let client: ClientNetwork
        let begin: @Sendable (Outcome) -> Void
    }

    private struct State {
        var queue: ReadingQueue
        var pacer = PagePacer()
        var waiters: [Ticket: Waiter] = [:]
    }

    private let timeout: TimeAmount
    /// Whether any job is being watched. Frames for watched jobs must not wait for readings.
    private let isLive: @Sendable () -> Bool
    private let state: NIOLockedValueBox<State>

    init(_ limits: ReadingQueue.Limits = .init(), isLive: @escaping @Sendable () -> Bool) {
        self.isLive = isLive
        timeout = TimeAmount(limits.timeout)
        state = NIOLockedValueBox(State(queue: ReadingQueue(limits)))
    }

    /// Numbers of running and waiting readings.
    var counts: (running: Int, waiting: Int) { state.withLockedValue { $0.queue.counts } }

    /// Requests a permit, which is given back when its last reference is released. Calls `begin` with the permit, immediately or later on
    /// `eventLoop`, or with ``APIFailure/tooManyReadings`` if too many readings are already waiting or the wait takes too long.
    ///
    /// - Returns: A ticket for giving up the wait; nil if there is no wait.
    func enter(
        _ client: ClientNetwork, on eventLoop: any EventLoop, _ begin: @escaping @Sendable (Outcome) -> Void
    ) -> Ticket? {
        let (entry, ticket) = state.withLockedValue { state in
            let ticket = state.queue.nextTicket()
            let entry = state.queue.enter(client, ticket)
            if entry == .waits {
                let timer = eventLoop.scheduleTask(in: timeout) { self.expire(ticket) }
                state.waiters[ticket] = Waiter(eventLoop: eventLoop, timer: timer, client: client, begin: begin)
            }
            return (entry, ticket)
        }
        switch entry {
        case .runs: begin(.success(permit(of: client)))
        case .refused: begin(.failure(.tooManyReadings))
        case .waits: return ticket
        }
        return nil
    }

    /// Waits for a permit, like ``enter(_:on:_:)``, and gives up the wait if the task is cancelled.
    ///
    /// - Throws: ``APIFailure/tooManyReadings``; `CancellationError`.
    func permit(for client: ClientNetwork, on eventLoop: any EventLoop) async throws -> ReadingPermit {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Outcome.self)
        let ticket = enter(client, on: eventLoop) { outcome.yield($0) }
        // The stream ends without an outcome only if the task is cancelled.
        if let outcome = await outcomes.first(where: { _ in true }) { return try outcome.get() }
        if let ticket { giveUp(ticket) }
        throw CancellationError()
    }

    /// Gives up the wait for a permit.
    func giveUp(_ ticket: Ticket) { takeOut(ticket)?.timer.cancel() }

    /// Reserves time for the next page. Request the page after the reservation's delay, and call ``settle(_:bytes:)`` when it has arrived.
    func reservePage() -> PagePacer.Reservation {
        let isLive = isLive()
        return state.withLockedValue { $0.pacer.reserve(at: .now(), withFrames: isLive) }
    }

    /// Records the length of a page that has arrived. A page that fails keeps its whole reservation.
    func settle(_ page: PagePacer.Reservation, bytes: Int) {
        state.withLockedValue { $0.pacer.settle(page, bytes: bytes) }
    }

    private func expire(_ ticket: Ticket) { takeOut(ticket)?.begin(.failure(.tooManyReadings)) }

    private func takeOut(_ ticket: Ticket) -> Waiter? {
        state.withLockedValue { state in
            state.queue.giveUp(ticket) ? state.waiters.removeValue(forKey: ticket) : nil
        }
    }

    private func permit(of client: ClientNetwork) -> ReadingPermit { ReadingPermit(limiter: self, client: client) }

    fileprivate func isPermitAwaited(of client: ClientNetwork) -> Bool {
        state.withLockedValue { $0.queue.isPermitAwaited(of: client) }
    }

    fileprivate func leave(_ client: ClientNetwork) {
        let next = state.withLockedValue { state in
            state.queue.leave(client).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        guard let next else { return }
        next.timer.cancel()
        let permit = permit(of: next.client)
        next.eventLoop.execute { next.begin(.success(permit)) }
    }
}

/// The permission to read results; released on deinit.
final class ReadingPermit: Sendable {
    private let limiter: ReadingLimiter
    private let client: ClientNetwork

    fileprivate init(limiter: ReadingLimiter, client: ClientNetwork) {
        self.limiter = limiter
        self.client = client
    }

    deinit { limiter.leave(client) }

    /// Whether the reading must end: its client is slow, and a waiting reading would receive its permit.
    func mustEnd(_ pace: ReadingPace) -> Bool { pace.isSlow && limiter.isPermitAwaited(of: client) }
}

/// How fast a client receives its results.
///
/// Counts only the time in which the client had something to receive, because pages may also wait for ``PagePacer`` and progress-host.
struct ReadingPace {
    /// Smallest number of bytes by which a client is judged. Without it, a brief delay of a short or empty page would count as slow.
    private static let minBytes = 64 << 10

    private var bytes = 0
    private var time = TimeAmount.zero

    /// Adds a page that the client has received.
    mutating func add(_ bytes: Int, in time: TimeAmount) {
        self.bytes += bytes
        self.time = self.time + time
    }

    /// Whether the client has been slower on average than ``PeerTimeouts`` expects.
    var isSlow: Bool { time > PeerTimeouts.time(toRead: max(bytes, Self.minBytes)) }
}

extension APIFailure {
    /// Too many results are being requested at the same time.
    static let tooManyReadings = APIFailure(
        .serviceUnavailable, "Too many results are being read. Please try again.", retryAfter: 2)
}
