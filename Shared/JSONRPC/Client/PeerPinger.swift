import Logging
import NIOCore

/// Pings the peer of one connection and closes the connection when the peer is silent (a stopped process keeps its
/// sockets open, so nothing else would tell).
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

    /// Looks now, and again as long as the connection is open. Must be called on the connection's event loop.
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
