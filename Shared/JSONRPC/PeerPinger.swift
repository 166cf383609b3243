import Logging
import NIOCore

/// Pings a connection's peer, and closes the connection if the peer stays silent. A stopped process keeps its sockets open, so it could not be
/// detected otherwise.
final class PeerPinger: Sendable {
    private let connection: RPCConnection
    private let interval: Duration
    private let schedule: NIOLoopBoundBox<PingSchedule>

    /// Creates a pinger. Must be called on the connection's event loop.
    init(_ connection: RPCConnection, interval: Duration) {
        self.connection = connection
        self.interval = interval
        schedule = NIOLoopBoundBox(PingSchedule(interval: interval), eventLoop: connection.channel.eventLoop)
    }

    /// Checks the peer now, and repeatedly while the connection is open. Must be called on the connection's event loop.
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

/// When to ping a peer and when to disconnect it. Any byte from the peer counts as activity.
///
/// A silent peer is pinged every interval and disconnected three and a half intervals after its last byte, when three pings have gone unanswered.
/// With the suite's interval of 2 s, that is after 7 s, within the 8 s of http-api.md "Readiness". If a check comes an interval late, this process
/// itself was stopped and cannot have received anything; the peer then has one more interval to respond.
struct PingSchedule {
    enum Action: Equatable {
        /// Do nothing until this time.
        case wait(until: NIODeadline)
        /// Ping now, and check again at this time.
        case ping(again: NIODeadline)
        /// The peer has been silent for too long.
        case drop
    }

    private let interval: TimeAmount
    private let silenceTimeout: TimeAmount
    private var lastPing: NIODeadline?
    private var nextLook: NIODeadline?

    init(interval: Duration) {
        self.interval = interval.timeAmount
        silenceTimeout = .nanoseconds(interval.timeAmount.nanoseconds / 2 * 7)
    }

    /// Returns what to do now if the peer's last byte arrived at `lastSign`.
    mutating func action(at now: NIODeadline, lastSign: NIODeadline) -> Action {
        if let nextLook, now >= nextLook + interval { return ping(at: now, again: now + interval) }
        let end = lastSign + silenceTimeout
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
