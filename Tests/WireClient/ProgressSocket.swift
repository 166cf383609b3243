package import NIOCore
package import NIOHTTP1
import NIOWebSocket

/// A WebSocket to `/ws/progress` (RFC 6455, without extensions).
///
/// ```swift
/// let socket = try await ProgressSocket.connect(to: address, path: "/ws/progress?jobId=…&token=…")
/// try await socket.send(text: #"{"type":"ready"}"#)
/// for await event in socket.events { … }
/// ```
///
/// `events` can be iterated once. If they are not consumed, at most about `maximumWaitingEvents` are queued, and then the connection is no longer
/// read.
package struct ProgressSocket: Sendable {
    package typealias Events = NIOAsyncSequenceProducer<
        SocketEvent, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, ReadResumption
    >

    /// The head of the 101 response.
    package let upgrade: HTTPResponseHead
    /// The events up to and including the close.
    package let events: Events
    private let channel: any Channel

    init(upgrade: HTTPResponseHead, events: Events, channel: any Channel) {
        self.upgrade = upgrade
        self.events = events
        self.channel = channel
    }

    /// Connects and upgrades. Throws `upgradeRefused` with the complete response if the server refuses.
    ///
    /// - Parameters:
    ///   - headers: Additional headers, for example `Authorization` or `Origin`.
    ///   - maximumWaitingEvents: Number of queued messages from which on the connection is no longer read.
    package static func connect(
        to address: ServerAddress, path: String, headers: HTTPHeaders = [:], maximumWaitingEvents: Int = 256,
        traffic: TrafficCounter? = nil
    ) async throws(ClientFailure) -> ProgressSocket {
        try await SocketConnector(
            address: address, path: path, headers: headers, maximumWaitingEvents: maximumWaitingEvents,
            traffic: traffic
        ).connect()
    }

    /// Sends a text message; returns once the kernel has accepted it.
    package func send(text: String) async throws(ClientFailure) {
        try await send(.text, ByteBuffer(string: text))
    }

    /// Starts the closing handshake with code 1000; the end arrives in `events`.
    package func close() async throws(ClientFailure) {
        var body = ByteBuffer()
        body.write(webSocketErrorCode: .normalClosure)
        try await send(.connectionClose, body)
    }

    /// Closes the connection without a handshake.
    package func cut() async {
        try? await channel.close()
    }

    private func send(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer) async throws(ClientFailure) {
        do {
            try await channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: bytes))
        } catch {
            throw .closedEarly
        }
    }
}

/// An event of a WebSocket.
package struct SocketEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A complete message.
        case message(ByteBuffer)
        /// The last event. If there is no code, the connection was cut, or closed without a code.
        case closed(code: UInt16?)
    }

    package let kind: Kind
    /// When the message was complete, or when the connection had closed.
    package let receivedAt = NIODeadline.now()

    /// The bytes of a message.
    package var message: ByteBuffer? {
        if case .message(let bytes) = kind { bytes } else { nil }
    }
}
