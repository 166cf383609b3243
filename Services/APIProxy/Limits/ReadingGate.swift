import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods

/// Starts result readings when `ReadingQueue` admits them, and paces their pages with `PagePacer`.
final class ReadingGate: Sendable {
    typealias Ticket = ReadingQueue.Ticket
    typealias Outcome = Result<ReadingPlace, APIFailure>

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

    /// Requests a place, which is freed when its last reference is released. Calls `begin` with the place, immediately or later on `eventLoop`, or
    /// with ``APIFailure/tooManyReadings`` if too many readings are already waiting or the wait takes too long.
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
        case .runs: begin(.success(place(of: client)))
        case .refused: begin(.failure(.tooManyReadings))
        case .waits: return ticket
        }
        return nil
    }

    /// Waits for a place, like ``enter(_:on:_:)``, and gives up the wait if the task is cancelled.
    ///
    /// - Throws: ``APIFailure/tooManyReadings``; `CancellationError`.
    func place(for client: ClientNetwork, on eventLoop: any EventLoop) async throws -> ReadingPlace {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Outcome.self)
        let ticket = enter(client, on: eventLoop) { outcome.yield($0) }
        // The stream ends without an outcome only if the task is cancelled.
        if let outcome = await outcomes.first(where: { _ in true }) { return try outcome.get() }
        if let ticket { giveUp(ticket) }
        throw CancellationError()
    }

    /// Gives up the wait for a place.
    func giveUp(_ ticket: Ticket) { takeOut(ticket)?.timer.cancel() }

    /// Reserves a time for the next page, and returns the delay after which to request the page.
    func delayOfNextPage() -> TimeAmount {
        let isLive = isLive()
        return TimeAmount(state.withLockedValue { $0.pacer.reserve(at: .now(), withFrames: isLive) })
    }

    private func expire(_ ticket: Ticket) { takeOut(ticket)?.begin(.failure(.tooManyReadings)) }

    private func takeOut(_ ticket: Ticket) -> Waiter? {
        state.withLockedValue { state in
            state.queue.giveUp(ticket) ? state.waiters.removeValue(forKey: ticket) : nil
        }
    }

    private func place(of client: ClientNetwork) -> ReadingPlace { ReadingPlace(gate: self, client: client) }

    fileprivate func isPlaceAwaited(of client: ClientNetwork) -> Bool {
        state.withLockedValue { $0.queue.isPlaceAwaited(of: client) }
    }

    fileprivate func leave(_ client: ClientNetwork) {
        let next = state.withLockedValue { state in
            state.queue.leave(client).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        guard let next else { return }
        next.timer.cancel()
        let place = place(of: next.client)
        next.eventLoop.execute { next.begin(.success(place)) }
    }
}

/// The permission to read results; released on deinit.
final class ReadingPlace: Sendable {
    private let gate: ReadingGate
    private let client: ClientNetwork

    fileprivate init(gate: ReadingGate, client: ClientNetwork) {
        self.gate = gate
        self.client = client
    }

    deinit { gate.leave(client) }

    /// Whether the reading must end: its client is slow, and a waiting reading would receive its place.
    func mustLeave(_ pace: ReadingPace) -> Bool { pace.isSlow && gate.isPlaceAwaited(of: client) }
}

/// How fast a client receives its results.
///
/// Counts only the time in which the client had something to receive, because pages may also wait for ``PagePacer`` and progress-host.
struct ReadingPace {
    /// Smallest number of bytes by which a client is judged. Without it, a brief delay of a short or empty piece would count as slow.
    private static let leastBytes = 64 << 10

    private var bytes = 0
    private var time = TimeAmount.zero

    /// Adds a page that the client has received.
    mutating func add(_ bytes: Int, in time: TimeAmount) {
        self.bytes += bytes
        self.time = self.time + time
    }

    /// Whether the client has been slower on average than ``PeerTimeouts`` expects.
    var isSlow: Bool { time > PeerTimeouts.time(toRead: max(bytes, Self.leastBytes)) }
}

/// Decides which result readings run and which ones wait, in order of arrival.
///
/// Each client may occupy only some of the places, so that many downloads by one client, or many connections over one slow network, leave places
/// for others. A few clients can still occupy all of them; while others wait, slow readings therefore end (``ReadingPlace/mustLeave(_:)``).
struct ReadingQueue {
    struct Limits: Sendable {
        /// Maximum number of concurrent readings; each one holds at most two pages of 64 KiB.
        var running = 256
        /// Maximum number of concurrent readings per client.
        var runningPerClient = 64
        /// Maximum number of waiting readings; further ones are refused.
        var waiting = 1_024
        /// Maximum time that a reading waits before it is refused; apps time out after 30 s or 60 s.
        var timeout = Duration.seconds(25)
    }

    /// Identifies a waiting reading.
    typealias Ticket = UInt64

    enum Entry: Equatable {
        case runs, waits, refused
    }

    private let limits: Limits
    private var running = 0
    private var perClient: [ClientNetwork: Int] = [:]
    private var waiting: [(ticket: Ticket, client: ClientNetwork)] = []
    private var lastTicket: Ticket = 0

    init(_ limits: Limits) { self.limits = limits }

    /// Numbers of running and waiting readings.
    var counts: (running: Int, waiting: Int) { (running, waiting.count) }

    /// A ticket for a new reading.
    mutating func nextTicket() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    /// Admits, queues or refuses a new reading.
    mutating func enter(_ client: ClientNetwork, _ ticket: Ticket) -> Entry {
        // If a reading is waiting although a place is free, it is waiting for its own client's share. So the new reading does not overtake it.
        if hasPlace(for: client) {
            take(client)
            return .runs
        }
        guard waiting.count < limits.waiting else { return .refused }
        waiting.append((ticket, client))
        return .waits
    }

    /// Frees the place of a reading that has ended. Returns the waiting reading that receives the place, if any.
    mutating func leave(_ client: ClientNetwork) -> Ticket? {
        running -= 1
        perClient.decrement(client)
        guard let next = waiting.firstIndex(where: { hasPlace(for: $0.client) }) else { return nil }
        let reading = waiting.remove(at: next)
        take(reading.client)
        return reading.ticket
    }

    /// Removes a reading from the queue; returns false if it is not waiting.
    mutating func giveUp(_ ticket: Ticket) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Whether a waiting reading would start if a reading of `client` ended.
    func isPlaceAwaited(of client: ClientNetwork) -> Bool {
        waiting.contains { $0.client == client || hasShare($0.client) }
    }

    private func hasPlace(for client: ClientNetwork) -> Bool {
        running < limits.running && hasShare(client)
    }

    private func hasShare(_ client: ClientNetwork) -> Bool { (perClient[client] ?? 0) < limits.runningPerClient }

    private mutating func take(_ client: ClientNetwork) {
        running += 1
        perClient[client, default: 0] += 1
    }
}

/// Spreads the pages of all readings over time, so downloads leave CPU time for live frames. Without pacing, readings took all of it, and frames were
/// delayed fifteen times as long.
///
/// Uses the virtual scheduling algorithm (GCRA, ITU-T I.371). Each page counts the same, regardless of its length, since most of the work for a short
/// page is its request.
struct PagePacer {
    /// Pages per second for all readings together while a job is being watched: 19 MiB/s, a sixth of a gigabit line.
    static let pagesPerSecondWithFrames = 300
    /// Pages per second while no job is being watched: 112 MiB/s, the rate of a gigabit line.
    static let pagesPerSecondAlone = 1_792
    /// How far pages may run ahead of the rate, so that a few pages at a time do not wait.
    static let burst = Duration.milliseconds(20)

    private var due = NIODeadline.uptimeNanoseconds(0)

    /// Reserves a time for a page that is requested now, and returns how long the page has to wait.
    mutating func reserve(at now: NIODeadline, withFrames: Bool) -> Duration {
        let rate = Int64(withFrames ? Self.pagesPerSecondWithFrames : Self.pagesPerSecondAlone)
        let start = max(due, now)
        due = start + .nanoseconds(1_000_000_000 / rate)
        return max(.zero, .nanoseconds((start - now).nanoseconds) - Self.burst)
    }
}

extension APIFailure {
    /// Too many results are being requested at the same time.
    static let tooManyReadings = APIFailure(
        .serviceUnavailable, "Too many results are being read. Please try again.", retryAfter: 2)
}
