import Logging
import NIOCore

/// Pings the peer of one connection and closes the connection when the peer is silent (a stopped process keeps its
/// sockets open, so nothing else would show it).
final class PeerPinger: Sendable {
    private let connection: RPCConnection
    private let interval: Duration
    private let schedule: NIOLoopBoundBox<PingSchedule>

    /// Must be called on the connection's event loop.
    init(_ connection: RPCConnection, interval: Duration) {
        self.connection = connection
        self.interval = interval
        schedule = NIOLoopBoundBox(PingSchedule(interval: interval), eventLoop: connection.channel.eventLoop)
    }

    /// Checks the peer now, and again as long as the connection is open. Must be called on the connection's event loop.
    func look() {
        let eventLoop = connection.channel.eventLoop
        guard let handler = connection.handler.value, connection.isOpen else { return }
        switch schedule.value.action(at: eventLoop.now, lastSign: handler.lastSign) {
        case .wait(let next):
            eventLoop.scheduleTask(deadline: next) { self.look() }
        case .ping(let next):
            connection.sendPing(deadline: interval)
            eventLoop.scheduleTask(deadline: next) { self.look() }
        case .drop:
            connection.logger.warning("the peer is silent; closing")
            connection.close()
        }
    }
}

/// When to ping a peer, and when to disconnect it: any byte from it counts as activity.
///
/// An idle peer is pinged every interval and disconnected three and a half intervals after its last byte, when three pings have gone
/// unanswered. With the suite's 2 s that is 7 s, within the 8 s of http-api.md "Readiness". A process that checks an
/// interval late was stopped itself and cannot have received anything: the peer then has one more interval to answer.
struct PingSchedule {
    enum Action: Equatable {
        /// Nothing to do before this time.
        case wait(until: NIODeadline)
        /// Ping now, and check again at this time.
        case ping(again: NIODeadline)
        /// The peer has been silent for too long.
        case drop
    }

    private let interval: TimeAmount
    private let patience: TimeAmount
    private var lastPing: NIODeadline?
    private var nextLook: NIODeadline?

    init(interval: Duration) {
        self.interval = interval.timeAmount
        patience = .nanoseconds(interval.timeAmount.nanoseconds / 2 * 7)
    }

    /// What to do now, when the peer's last byte came at `lastSign`.
    mutating func action(at now: NIODeadline, lastSign: NIODeadline) -> Action {
        if let nextLook, now >= nextLook + interval { return ping(at: now, again: now + interval) }
        let end = lastSign + patience
        guard now < end else { return .drop }
        let due = max(lastSign, lastPing ?? lastSign) + interval
        guard now < due else { return ping(at: now, again: min(now + interval, end)) }
        let look = min(due, end)
        nextLook = look
        return .wait(until: look)
    }

    private mutating func ping(at now: NIODeadline, again look: NIODeadline) -> Action {
        lastPing = now
        nextLook = look
        return .ping(again: look)
    }
}
