import Glibc
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import Observability

/// Sets up a listener's connections. A connection speaks HTTP until one of its requests becomes a WebSocket, if the listener admits
/// WebSockets.
///
/// A connection gets a task only at its first request for the router. A task per socket would double a socket's memory, and for a request whose
/// response is in memory, a task would cost more than the response.
struct EdgeChannel: Sendable {
    let responder: HTTPChannelHandler.Responder
    let rules: EdgeRules
    /// Whether requests may open a WebSocket.
    let admitsSockets: Bool
    /// Gauge of open connections; nil if they are not counted.
    let connections: Gauge?
    let executors: EventLoopTaskExecutors

    /// Adds the handlers of a connection that is registered in `open`. Call on the connection's event loop.
    func setup(_ channel: any Channel, _ open: OpenConnections) throws {
        let serving = RouterServing(
            router: RouterConnection(responder: responder), executor: executors[channel.eventLoop], open: open,
            logger: rules.logger)
        let connection = HTTPConnection(
            rules: rules, admitsSockets: admitsSockets, serving: serving, open: open, now: channel.eventLoop.now)
        try connection.install(in: channel.pipeline.syncOperations)
        guard let connections else { return }
        connections.add()
        channel.closeFuture.whenComplete { _ in connections.subtract() }
    }
}

/// Starts a connection's task at its first request for the router.
private struct RouterServing: RequestServing {
    let router: RouterConnection
    let executor: EventLoopTaskExecutor
    let open: OpenConnections
    let logger: Logger

    func start(on channel: any Channel) throws -> [any RemovableChannelHandler] {
        let codec = HTTP1ToHTTPServerCodec(secure: false)
        try channel.pipeline.syncOperations.addHandler(codec)
        let requests = try RouterConnection.Value(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        open.taskBegins()
        Task(executorPreference: executor) { [router, open, logger] in
            await router.handle(value: requests, logger: logger)
            open.taskEnded()
        }
        return [codec]
    }
}

/// Hummingbird's side of one connection: reads requests and writes the responder's responses.
private struct RouterConnection: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture { try Value(wrappingChannelSynchronously: channel) }
    }

    func handle(value: Value, logger: Logger) async { await handleHTTP(asyncChannel: value, logger: logger) }
}

extension EdgeChannel {
    private static let request = "GET / HTTP/1.1\r\nHost: warm-up\r\nConnection: close\r\n\r\n"

    /// Serves one dummy request over a socket pair, before the first client is served.
    ///
    /// The first connection instantiates the generic types of its pipeline. If clients are already waiting, every event loop does so at the
    /// same time, and Swift's runtime (6.3) occasionally crashes: once in 900 starts with eight clients in the backlog.
    static func warmUp(_ rules: EdgeRules, group: any EventLoopGroup) async {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
        let request = Self.request
        // So few bytes fit into the pair's buffer, where they remain readable after this end is closed.
        _ = request.withCString { send(ends[1], $0, strlen($0), CInt(MSG_NOSIGNAL)) }
        close(ends[1])
        let edge = EdgeChannel(
            responder: { _, writer, _ in try await writer.writeResponse(.init(status: .noContent)) }, rules: rules,
            admitsSockets: false, connections: nil, executors: EventLoopTaskExecutors(group))
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
