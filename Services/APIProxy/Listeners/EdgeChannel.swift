import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Observability

/// A listener's connections: HTTP through Hummingbird, until a request becomes a WebSocket where the listener takes them.
///
/// A WebSocket is served by its handler alone. Only HTTP keeps a task, since a task per socket doubles a socket's memory (engineering
/// notes).
struct EdgeChannel: HTTPChannelHandler {
    /// What Hummingbird's task reads requests from and writes answers to.
    typealias Requests = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// Known with the first request; nil when there is none but one for a WebSocket.
        let requests: EventLoopFuture<Requests?>
    }

    /// Hummingbird's side of one connection.
    private struct Serving: RequestServing {
        /// Idle keep-alive (spec/07 "Body limits").
        private static let idleLimit = Duration.seconds(60)

        let requests: EventLoopPromise<Requests?>
        let logger: Logger

        func start(on channel: any Channel) throws -> [any RemovableChannelHandler] {
            let codec = HTTP1ToHTTPServerCodec(secure: false)
            let idle = HTTPConnectionStateHandler(idleTimeout: Self.idleLimit, logger: logger)
            try channel.pipeline.syncOperations.addHandlers(codec, idle)
            requests.succeed(
                try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
            return [codec, idle]
        }

        func skip() { requests.succeed(nil) }
    }

    let responder: HTTPChannelHandler.Responder
    let door: SocketDoor
    /// Whether requests may ask for a WebSocket.
    let admitsSockets: Bool
    /// Counts the connections that are open; nil where they are not counted.
    let connections: Gauge?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let requests = channel.eventLoop.makePromise(of: Requests?.self)
            let gate = ConnectionGate(
                door: door, admitsSockets: admitsSockets, serving: Serving(requests: requests, logger: logger),
                now: channel.eventLoop.now)
            do {
                try gate.install(in: channel.pipeline.syncOperations)
            } catch {
                requests.succeed(nil)
                throw error
            }
            if let connections {
                connections.add()
                channel.closeFuture.whenComplete { _ in connections.subtract() }
            }
            return Value(channel: channel, requests: requests.futureResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard let requests = try? await value.requests.get() else { return }
        await handleHTTP(asyncChannel: requests, logger: logger)
    }
}
