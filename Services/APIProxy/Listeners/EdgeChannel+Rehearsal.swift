import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix

extension EdgeChannel {
    private static let request = "GET / HTTP/1.1\r\nHost: rehearsal\r\nConnection: close\r\n\r\n"

    /// Serves one request of its own, between the ends of a socket pair, before the first client comes.
    ///
    /// The first connection makes the types of its pipeline. When clients wait already, every event loop does that at once, and Swift's
    /// runtime (6.3) crashes now and then: once in 900 starts with eight clients in the backlog.
    static func rehearse(_ door: SocketDoor, _ rules: EdgeRules, group: any EventLoopGroup) async {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
        let request = Self.request
        // The pair holds so few bytes without a reader, also when the other end is closed.
        _ = request.withCString { send(ends[1], $0, strlen($0), CInt(MSG_NOSIGNAL)) }
        close(ends[1])
        let edge = EdgeChannel(
            responder: { _, writer, _ in try await writer.writeResponse(.init(status: .noContent)) }, door: door,
            rules: rules, admitsSockets: false, connections: nil, executors: EventLoopTaskExecutors(group),
            logger: rules.logger)
        let open = OpenConnections(limits: ConnectionLimits(total: 1, perAddress: 1), trustedProxies: TrustedProxies())
        let connection = try? await ClientBootstrap(group: group)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    _ = open.enter(channel)
                    try edge.setup(channel, open)
                }
            }
            .withConnectedSocket(ends[0]).get()
        guard let connection else { return }
        open.listenerClosed()
        await open.ended()
        try? await connection.close()
    }
}
