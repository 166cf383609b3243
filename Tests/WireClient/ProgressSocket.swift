package import NIOCore
package import NIOHTTP1
import NIOPosix
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
    package static func connect(
        to address: ServerAddress, path: String, options: SocketOptions = .init(),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, traffic: TrafficCounter? = nil
    ) async throws(ClientFailure) -> ProgressSocket {
        try await SocketConnector(address: address, path: path, options: options, group: group, traffic: traffic)
            .connect()
    }

    /// Sends a text message; returns once the kernel has accepted it.
    package func send(text: String) async throws(ClientFailure) {
        try await send(.text, ByteBuffer(string: text))
    }

    /// Sends a binary message.
    package func send(binary: ByteBuffer) async throws(ClientFailure) { try await send(.binary, binary) }

    /// Sends a PING frame.
    package func sendPing() async throws(ClientFailure) { try await send(.ping, ByteBuffer()) }

    /// Starts the closing handshake; the end arrives in `events`.
    package func close(code: UInt16 = 1000, reason: String = "") async throws(ClientFailure) {
        var body = ByteBuffer()
        body.writeInteger(code)
        body.writeString(reason)
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

/// Options of a `ProgressSocket`.
package struct SocketOptions: Sendable {
    /// Additional headers, for example `Authorization` or `Origin`.
    package var headers: HTTPHeaders = [:]
    /// Maximum size of a message; a larger one closes the socket with 1009. iOS accepts 1 MiB (websocket.md "Frames").
    package var maximumMessageBytes = 1 << 20
    /// Whether PING frames are answered, as RFC 6455 §5.5.2 requires. Heartbeat tests turn this off.
    package var answersPings = true
    /// Idle time after which the connection is considered dead; nil for never.
    package var silenceLimit: Duration?
    /// Timeout for the upgrade, counted from the time the connection is established.
    package var timeout = Duration.seconds(10)
    /// Maximum number of queued messages; beyond it, the connection is no longer read.
    package var maximumWaitingEvents = 256

    package init() {}
}

/// An event of a WebSocket.
package struct SocketEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A complete text message.
        case text(ByteBuffer)
        /// A complete binary message.
        case binary(ByteBuffer)
        /// A PING frame; it has been answered unless the socket's options disable that.
        case ping
        case pong
        /// The last event. If there is no code, the connection was cut, or closed without a code.
        case closed(code: UInt16?, reason: String)
    }

    package var kind: Kind
    /// When the message's last byte was read.
    package var receivedAt: NIODeadline

    package init(_ kind: Kind, receivedAt: NIODeadline = .now()) {
        self.kind = kind
        self.receivedAt = receivedAt
    }

    /// The bytes of a text or binary message.
    package var message: ByteBuffer? {
        switch kind {
        case .text(let bytes), .binary(let bytes): bytes
        case .ping, .pong, .closed: nil
        }
    }
}
