import BookstrackContract
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Observability

@testable import APIProxy

/// An `HTTPConnection` in a pipeline with its decoder, on an event loop whose clock the test advances. The test acts as the router.
final class EmbeddedConnection {
    /// Records what reaches the router.
    private final class Beyond: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        var failures: [APIFailure] = []
        var requests = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { requests += 1 }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let failure = error as? APIFailure { failures.append(failure) }
        }
    }

    /// Counts how often the connection reads from the socket.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never
        var reads = 0

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    private struct Serving: RequestServing {
        let beyond: Beyond

        func start(on channel: any Channel) throws -> [any RemovableChannelHandler] {
            try channel.pipeline.syncOperations.addHandler(beyond)
            return []
        }
    }

    private let channel = EmbeddedChannel()
    private let open = OpenConnections(
        limits: ConnectionLimits(total: 1, perAddress: 1), trustedProxies: TrustedProxies())
    let tail = TailHub()
    private let beyond = Beyond()
    private let counter = ReadCounter()

    var failures: [APIFailure] { beyond.failures }
    /// The number of requests that have reached the router completely.
    var requests: Int { beyond.requests }

    var isOpen: Bool { channel.isActive }

    /// - Parameters:
    ///   - routes: Routes that are handled on the event loop.
    ///   - network: Keeps writes pending until the test completes them; if nil, the client immediately receives what is written.
    init(
        routes: [Route] = [], network: StalledNetwork? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        let hub = SocketHub(
            group: MultiThreadedEventLoopGroup.singleton, limits: SocketLimits(), timeouts: PeerTimeouts(),
            metrics: SocketMetrics(MetricRegistry()), tail: tail)
        let host = HostLinks(path: "/nowhere", hub: hub, resumePage: 1, logger: logger)
        let rules = EdgeRules(
            routes, originRule: OriginRule(), hosts: nil, limiter: nil,
            watchers: WatcherAdmission(
                originRule: OriginRule(), hub: hub, host: host, trustedProxies: TrustedProxies()),
            metrics: HTTPMetrics(MetricRegistry(), paths: routes.map(\.path)),
            feed: RequestFeed(tail: tail, trustedProxies: TrustedProxies(), aborted: AbortedConnections()),
            logger: logger)
        let connection = HTTPConnection(
            rules: rules, admitsSockets: true, serving: Serving(beyond: beyond), open: open, now: channel.eventLoop.now)
        _ = open.enter(channel)
        if let network { try channel.pipeline.syncOperations.addHandler(network) }
        try channel.pipeline.syncOperations.addHandler(counter)
        try connection.install(in: channel.pipeline.syncOperations)
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
    }

    /// Acts like a client that stops reading or reads again.
    func setReading(_ isReading: Bool) {
        channel.isWritable = isReading
        channel.pipeline.fireChannelWritabilityChanged()
    }

    func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    /// Whether bytes would be read now, if there were any.
    func reads() -> Bool {
        let before = counter.reads
        channel.read()
        return counter.reads > before
    }

    func advance(by time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    /// Acts like a client that has closed its sending side.
    func closeInput() { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }

    /// Acts like a client that has disconnected.
    func lose() { channel.pipeline.fireChannelInactive() }

    /// Fires the event that a stopping listener sends.
    func stop() { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }

    /// Acts like a server whose task is cancelled.
    func cancelServer() { open.closeAll() }

    /// Acts like a route that reads the body of its request.
    func wantBody() { channel.triggerUserOutboundEvent(BodyWanted(), promise: nil) }

    /// Responds to the next request in place of the router.
    func answerRequest(_ fields: HTTPHeaders = [:]) throws {
        var headers: HTTPHeaders = ["content-length": "0"]
        headers.add(contentsOf: fields)
        try write(.head(.init(version: .http1_1, status: .ok, headers: headers)))
        try write(.end(nil))
    }

    /// Unlike `writeOutbound`, does not wait until the client has received the part.
    private func write(_ part: HTTPServerResponsePart) throws {
        var refusal: (any Error)?
        channel.writeAndFlush(part).assumeIsolated().whenFailure { refusal = $0 }
        if let refusal { throw refusal }
    }

    /// Acts like the router once it has received the end of input.
    func endRouter() { channel.close(mode: .output, promise: nil) }

    /// Acts like the router once the task that produces its response is cancelled.
    func cancelRouter() {
        endRouter()
        channel.close(promise: nil)
    }

    /// The bytes that the client has received since the last call.
    func received() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    func answer() throws -> HTTPAnswer { try HTTPAnswer(received()) }

    /// The statuses of the responses that the client has received since the last call.
    func statuses() throws -> [Int] {
        var bytes = try received()
        var statuses: [Int] = []
        while let answer = try HTTPAnswer.takeFirst(of: &bytes) { statuses.append(answer.status) }
        return statuses
    }
}

extension SocketShard {
    /// The shard of the only event loop, with default timeouts.
    convenience init(single eventLoop: any EventLoop, _ limiter: SocketLimiter) {
        self.init(
            eventLoop: eventLoop, index: 0, shardCount: 1, socketLimiter: limiter, timeouts: PeerTimeouts(),
            metrics: SocketMetrics(MetricRegistry()), tail: TailHub())
    }
}
