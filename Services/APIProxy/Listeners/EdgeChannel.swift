import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Observability

/// Sets a listener's connections up: HTTP, until a request becomes a WebSocket where the listener takes them.
///
/// A task is made only for what the router answers, since a task per socket doubles a socket's memory, and for a request whose answer is at
/// hand it costs more than the answer.
struct EdgeChannel: Sendable {
    let responder: HTTPChannelHandler.Responder
    let door: SocketDoor
    let rules: EdgeRules
    /// Whether requests may ask for a WebSocket.
    let admitsSockets: Bool
    /// Counts the connections that are open; nil where they are not counted.
    let connections: Gauge?
    let executors: EventLoopTaskExecutors
    let logger: Logger

    /// Adds the handlers of a connection that counts among `open`. Must be called on its event loop.
    func setup(_ channel: any Channel, _ open: OpenConnections) throws {
        let serving = RouterServing(
            router: RouterConnection(responder: responder), executor: executors[channel.eventLoop], open: open,
            logger: logger)
        let gate = ConnectionGate(
            door: door, rules: rules, admitsSockets: admitsSockets, serving: serving, open: open,
            now: channel.eventLoop.now)
        try gate.install(in: channel.pipeline.syncOperations)
        guard let connections else { return }
        connections.add()
        channel.closeFuture.whenComplete { _ in connections.subtract() }
    }
}

/// Starts the task that answers what the router answers, with a connection's first request for it.
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

/// Hummingbird's side of one connection: it reads requests, and writes what the responder answers.
private struct RouterConnection: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture { try Value(wrappingChannelSynchronously: channel) }
    }

    func handle(value: Value, logger: Logger) async { await handleHTTP(asyncChannel: value, logger: logger) }
}
