import BookstrackContract
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Observability
import Testing

@testable import APIProxy

@Suite("Replies and close frames of a multi-job WebSocket") struct UnreadJobsSocketTests {
    private let channel = EmbeddedChannel()
    private let network = StalledNetwork()

    init() throws {
        try Self.open(Self.socket(on: channel), on: channel, network)
    }

    private static func socket(on channel: EmbeddedChannel) throws -> JobsSocket {
        var timeouts = PeerTimeouts()
        timeouts.firstWatch = .hours(1)
        let hub = SocketHub(
            group: channel.embeddedEventLoop, limits: SocketLimits(), timeouts: timeouts,
            metrics: SocketMetrics(MetricRegistry()), tail: TailHub())
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let admission = WatcherAdmission(
            originRule: OriginRule(), hub: hub,
            host: HostLinks(path: "/nowhere", hub: hub, resumePage: 1, logger: logger),
            trustedProxies: TrustedProxies())
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: JobsSocket.path)
        return try JobsSocket(admission, head, channel, nil)
    }

    private static func open(_ socket: JobsSocket, on channel: EmbeddedChannel, _ network: StalledNetwork) throws {
        try channel.pipeline.syncOperations.addHandlers([network, socket.connection])
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
    }

    private func advance(by time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    /// Acts like a listener that stops, so that the socket is closed.
    private func stop() { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }

    @Test("a client that does not read its close frame is disconnected after 7 s")
    func closeUnread() {
        stop()
        #expect(network.written.count == 1)
        advance(by: .milliseconds(6_999))
        #expect(channel.isActive)
        advance(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a client that reads its close frame has 2 s to answer it")
    func closeRead() {
        stop()
        advance(by: .seconds(1))
        network.takeAll()
        advance(by: .milliseconds(1_999))
        #expect(channel.isActive)
        advance(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a socket whose server begins to stop during the upgrade is closed with 1012 as soon as it opens")
    func stopsDuringUpgrade() throws {
        let (channel, network) = (EmbeddedChannel(), StalledNetwork())
        let socket = try Self.socket(on: channel)
        socket.closeForRestart()
        try Self.open(socket, on: channel, network)
        #expect(network.written == [WebSocketWire.close(.serviceRestart, reason: "server restarts")])
    }

    /// Unwatches 100 jobs; the responses have almost 10 KB.
    private func unwatchMany() throws {
        let padding = String(repeating: "x", count: 60)
        let jobs = (100..<200).map { #"{"jobId":"\#(padding)\#($0)"}"# }
        let text = #"{"type":"unwatch","jobs":[\#(jobs.joined(separator: ","))]}"#
        try channel.writeInbound(ByteBuffer(bytes: WebSocketClient.frame(opcode: 1, Array(text.utf8))))
    }

    @Test("the notices for one list are written together")
    func together() throws {
        try unwatchMany()
        #expect(network.written.count == 1)
        #expect(network.bytes > 100 * 90)
    }

    @Test("a client that leaves 256 KiB of replies unread is disconnected with 1013")
    func repliesUnread() throws {
        channel.isWritable = false
        for _ in 0..<FloodLimit.messages { try unwatchMany() }
        #expect(network.written.last == WebSocketWire.close(.tryAgainLater, reason: "reads too slowly"))
        #expect(network.bytes > SlowReaderQueue.byteLimit - (16 << 10))
        #expect(network.bytes < SlowReaderQueue.byteLimit + 1_024)
    }

    @Test("replies that the client has read do not count")
    func repliesRead() throws {
        for _ in 0..<FloodLimit.messages {
            channel.isWritable = false
            try unwatchMany()
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
        }
        #expect(network.written.count == FloodLimit.messages)
    }
}
