import BookstrackContract
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Observability
import Testing

@testable import APIProxy

/// The gate in its place behind the decoder, on a loop whose clock the test moves.
@Suite("Slow requests") struct SlowRequestTests {
    /// Notes what reaches the router's side.
    private final class Beyond: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        var failures: [APIFailure] = []

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let failure = error as? APIFailure { failures.append(failure) }
        }
    }

    private let channel = EmbeddedChannel()
    private let beyond = Beyond()

    init() throws {
        let hub = SocketHub(
            group: MultiThreadedEventLoopGroup.singleton, limits: SocketLimits(),
            metrics: SocketMetrics(MetricRegistry()), tail: TailHub())
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let host = HostLink(
            path: "/nowhere", hub: hub, resumePage: 1, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let door = SocketDoor(
            origins: OriginList(), hub: hub, host: host,
            feed: RequestFeed(tail: TailHub(), trustedProxies: TrustedProxies(), departures: Departures()),
            metrics: HTTPMetrics(MetricRegistry(), paths: []), logger: logger)
        let gate = ConnectionGate(door: door, now: channel.eventLoop.now)
        try channel.pipeline.syncOperations.addHandlers(
            ByteWatch(gate: gate), HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), gate, beyond)
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
    }

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func answer() throws -> HTTPAnswer {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return try HTTPAnswer(bytes)
    }

    @Test(
        "a client that says nothing, or never ends its head, gets a 408 after 15 s",
        arguments: ["", "GET / HTTP/1.1\r\nHost"])
    func slowHead(_ text: String) throws {
        try send(text)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(14_999))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        let late = try answer()
        #expect(late.status == 408 && late["connection"] == "close")
        #expect(try late.failure.code == .requestTimeout)
    }

    @Test("a body that drips is given up after 30 s, and the router hears why")
    func slowBody() throws {
        try send("POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        for _ in 0..<29 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try send(" ")
        }
        #expect(beyond.failures.isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(beyond.failures == [.late("body")])
    }

    @Test("a complete request is not late, however long the next one takes to begin")
    func keepAlive() throws {
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(beyond.failures.isEmpty)
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
    }
}
