import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// Completes the handshake of a request that `ConnectionGate` has let through (RFC 6455 §4.2.2).
///
/// NIO's own upgrader would also install a frame encoder; `WebSocketWire` encodes a frame once for all its sockets instead.
struct WebSocketUpgrader: NIOTypedHTTPServerProtocolUpgrader {
    private static let keySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    let supportedProtocol = "websocket"
    let requiredUpgradeHeaders: [String] = []
    let gate: NIOLoopBound<ConnectionGate>

    func buildUpgradeResponse(
        channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        var headers = initialResponseHeaders
        let key = upgradeRequest.headers["Sec-WebSocket-Key"].first ?? ""
        let digest = Insecure.SHA1.hash(data: Data((key + Self.keySuffix).utf8))
        headers.add(name: "Sec-WebSocket-Accept", value: Data(digest).base64EncodedString())
        headers.add(contentsOf: gate.value.upgradeFields)
        return channel.eventLoop.makeSucceededFuture(headers)
    }

    func upgrade(channel: any Channel, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<EdgeChannel.Outcome> {
        channel.eventLoop.makeCompletedFuture {
            guard let socket = gate.value.admitted else { throw ChannelError.inappropriateOperationForState }
            try channel.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 16_384, high: 32_768))
            try channel.pipeline.syncOperations.addHandler(socket)
            return .webSocket
        }
    }
}
