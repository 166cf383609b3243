import BookstrackContract
import Foundation

/// The events of a job, in order and none of them twice, across disconnects. Some are skipped when polling, or if the server no longer stores them.
///
/// The sequence ends after the last event of the job or, if improved results are followed, when the server stops reporting improvements. It recovers
/// from broken connections, server restarts, and proxies that block WebSockets. It throws a ``BookstrackError`` if the job can no longer be followed
/// (for example, if the job is unknown or its token is wrong, revoked or expired), if the server's certificate is not trusted before any connection
/// has succeeded, or if the ``FollowPolicy`` allows no further attempt.
///
/// Each iteration follows the job independently. To stop, cancel the iterating task; the job itself continues.
public struct JobEvents: AsyncSequence, Sendable {
    /// One event of the job.
    public typealias Element = JobEvent

    private let begin: @Sendable () -> AsyncThrowingStream<JobEvent, any Error>

    init(_ begin: @escaping @Sendable () -> AsyncThrowingStream<JobEvent, any Error>) { self.begin = begin }

    /// Begins to follow the job.
    public func makeAsyncIterator() -> Iterator { Iterator(base: begin().makeAsyncIterator()) }

    /// Iterates over the events as they arrive.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<JobEvent, any Error>.AsyncIterator

        /// Returns the next event; nil after the last one or if the task is cancelled.
        ///
        /// - Throws: ``BookstrackError``.
        public mutating func next() async throws -> JobEvent? { try await base.next() }
    }

    /// Follows the job to its end and returns the last event.
    ///
    /// - Throws: ``BookstrackError`` if the job can no longer be followed, or with `cancelled` if the task is cancelled first or the sequence begins
    ///   after the last event.
    public func last() async throws(BookstrackError) -> JobEvent {
        do {
            for try await event in self where event.isLast { return event }
        } catch {
            throw error as? BookstrackError ?? BookstrackError(.unexpectedAnswer, "\(error)")
        }
        throw BookstrackError(.cancelled, "the task was cancelled before the job ended, or no events follow")
    }
}

/// Follows a job by performing the actions that an ``EventFollower`` decides on.
actor EventPump {
    private let job: FollowedJob
    private let report: @Sendable (ConnectionStatus) -> Void
    private let events: AsyncThrowingStream<JobEvent, any Error>.Continuation
    private var follower: EventFollower

    /// Creates a pump. Events wait for a slow consumer in an unbounded queue, because the throttle limits a job to a few events per second
    /// (websocket.md "Throttle").
    init(
        _ job: FollowedJob, from position: EventPosition, followsResults: Bool,
        report: @escaping @Sendable (ConnectionStatus) -> Void,
        to events: AsyncThrowingStream<JobEvent, any Error>.Continuation
    ) {
        self.job = job
        self.report = report
        self.events = events
        follower = EventFollower(from: position, policy: job.client.policy, followsResults: followsResults)
    }

    private var policy: FollowPolicy { job.client.policy }
    private var clock: any ClientClock { job.client.clock }

    /// Follows the job until no more events follow, the job can no longer be followed, or the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let attempt = follower.attempt()
            report(.connecting(attempt.transport))
            switch follower.lost(await follow(attempt)) {
            case .finish: return events.finish()
            case .fail(let error): return events.finish(throwing: error)
            case .retry(let pause, let error):
                report(.disconnected(error, retryIn: pause))
                if pause > .zero { try? await clock.sleep(for: pause) }
            }
        }
        events.finish()
    }

    /// Makes one attempt and returns why it ended.
    private func follow(_ attempt: EventFollower.Attempt) async -> EventFollower.Loss {
        let connection: any EventConnection
        do {
            connection = try await job.open(attempt)
        } catch {
            return error.loss
        }
        return await withTaskGroup(of: EventFollower.Loss?.self) { group in
            group.addTask { await self.read(connection, attempt.transport) }
            group.addTask { await self.watch(connection, attempt.transport) }
            var loss: EventFollower.Loss?
            while loss == nil, let ended = await group.next() { loss = ended }
            group.cancelAll()
            await connection.close()
            return loss ?? .failed(.cancelled)
        }
    }

    private func read(_ connection: any EventConnection, _ transport: EventTransport) async -> EventFollower.Loss? {
        // Reports updates that were missed while the connection was broken.
        if follower.awaitsResults { await compareResults() }
        while true {
            let (message, frame): (ServerMessage, String?)
            do {
                (message, frame) = try await connection.next()
            } catch {
                return Task.isCancelled ? nil : error.loss
            }
            if Task.isCancelled { return nil }
            let isFirst = !follower.isHeard
            let step = follower.take(message, at: clock.uptime)
            if isFirst { report(.connected(transport)) }
            if let frame { report(.received(frame)) }
            switch step {
            case .deliver(let event):
                await pass(event, from: connection)
                if event.isLast { await compareResults() }
            case .finish(let event):
                if let event { await pass(event, from: connection) }
                return .finished
            case .compareResults: await compareResults()
            case .fetchGap: return .gap
            case .fail(let error): return .rejected(error)
            case .answerPing: await connection.send(#"{"type":"pong"}"#)
            case .roundTrip(let time): report(.roundTrip(time))
            case .ignore: break
            }
        }
    }

    /// Passes an event on, and acknowledges the last one.
    private func pass(_ event: JobEvent, from connection: any EventConnection) async {
        events.yield(event)
        if event.isLast { await connection.send(#"{"type":"ack","seq":\#(event.seq)}"#) }
    }

    /// Reads the state of a job that has ended, and reports its results if they have improved.
    private func compareResults() async {
        guard let state = try? await job.client.state(of: job.id) else { return }
        if let event = follower.take(state, at: clock.date) { events.yield(event) }
    }

    /// Abandons a connection that is silent at first, or a WebSocket on which nothing arrives despite pings. Polls, and event streams that become
    /// silent later, end with the timeouts of their requests.
    private func watch(_ connection: any EventConnection, _ transport: EventTransport) async -> EventFollower.Loss? {
        guard transport != .polling else { return nil }
        do {
            try await clock.sleep(for: policy.openingDeadline)
            if !follower.isHeard { return .silent }
            guard transport == .webSocket else { return nil }
            while true {
                try await clock.sleep(for: policy.pingInterval)
                if follower.tick(at: clock.uptime) == .giveUp { return .silent }
                let time = Int64(clock.date.timeIntervalSince1970 * 1_000)
                await connection.send(#"{"type":"ping","payload":{"clientTime":\#(time)}}"#)
            }
        } catch {
            return nil
        }
    }
}
