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
/// `events` can be iterated once. When they are not read, `maximumWaitingEvents` wait and then the connection is read no further.
package struct ProgressSocket: Sendable {
    package typealias Events = NIOAsyncSequenceProducer<
        SocketEvent, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, ReadResumption
    >

    /// The head of the 101.
    package let upgrade: HTTPResponseHead
    /// What the server sends, to the close and including it.
    package let events: Events
    private let channel: any Channel

    init(upgrade: HTTPResponseHead, events: Events, channel: any Channel) {
        self.upgrade = upgrade
        self.events = events
        self.channel = channel
    }

    /// Connects and upgrades. A refusal throws `upgradeRefused` with the whole answer.
    package static func connect(
        to address: ServerAddress, path: String, options: SocketOptions = .init(),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, traffic: TrafficCounter? = nil
    ) async throws(ClientFailure) -> ProgressSocket {
        try await SocketConnector(address: address, path: path, options: options, group: group, traffic: traffic)
            .connect()
    }

    /// Sends a text message; returns when it is written to the system.
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

    /// Cuts the connection without a word.
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
