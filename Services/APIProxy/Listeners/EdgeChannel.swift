import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Observability

/// A listener's connections: HTTP through Hummingbird, or a WebSocket after the first request where the listener takes them.
///
/// A WebSocket is served by its handler alone. Only HTTP keeps a task, since a task per socket doubles a socket's memory (engineering
/// notes).
struct EdgeChannel: HTTPChannelHandler {
    /// Idle keep-alive (spec/07 "Body limits").
    static let idleLimit = Duration.seconds(60)

    /// As much as clients send and proxies pass on: heads are kept for those who follow.
    private static var headLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 << 10
        limits.maxHeaderListSize = 32 << 10
        return limits
    }

    /// What a connection turned out to be.
    enum Outcome: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case webSocket
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let outcome: EventLoopFuture<Outcome>
    }

    let responder: HTTPChannelHandler.Responder
    let door: SocketDoor
    /// Whether a first request may ask for a WebSocket.
    let admitsSockets: Bool
    /// Counts the connections that are open; nil where they are not counted.
    let connections: Gauge?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let gate = ConnectionGate(door: door, admitsSockets: admitsSockets, now: channel.eventLoop.now)
            let watch = ByteWatch(gate: gate)
            let encoder = HTTPResponseEncoder()
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: Self.headLimits))
            let upgrade = NIOTypedHTTPServerUpgradeHandler(
                httpEncoder: encoder, extraHTTPHandlers: [watch, decoder, gate],
                upgradeConfiguration: .init(
                    upgraders: [WebSocketUpgrader(gate: NIOLoopBound(gate, eventLoop: channel.eventLoop))],
                    notUpgradingCompletionHandler: { Self.becomeHTTP($0, logger) }))
            try pipeline.addHandlers(watch, encoder, decoder, gate, upgrade)
            if let connections {
                connections.add()
                channel.closeFuture.whenComplete { _ in connections.subtract() }
            }
            return Value(channel: channel, outcome: upgrade.upgradeResultFuture)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
            guard case .http(let channel) = try? await value.outcome.get() else { return }
            await handleHTTP(asyncChannel: channel, logger: logger)
        }
    }

    private static func becomeHTTP(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Outcome> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleLimit, logger: logger))
            return .http(
                try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
        }
    }
}
