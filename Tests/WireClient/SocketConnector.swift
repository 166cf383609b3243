import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Connects and upgrades (RFC 6455 §4.1).
struct SocketConnector {
    /// Timeout for the upgrade, counted from the time the connection is established.
    private static let limit = TimeAmount.seconds(10)
    /// Maximum size of a message; a larger one closes the socket with 1009. iOS accepts 1 MiB (websocket.md "Frames").
    private static let maximumMessageBytes = 1 << 20

    let address: ServerAddress
    let path: String
    let headers: HTTPHeaders
    let maximumWaitingEvents: Int
    let traffic: TrafficCounter?

    func connect() async throws(ClientFailure) -> ProgressSocket {
        traffic?.add(requests: 1)
        do {
            switch try await negotiate() {
            case .upgraded(let socket): return socket
            case .refused(let answer): throw ClientFailure.upgradeRefused(try await answer.get())
            }
        } catch {
            throw ClientFailure(error)
        }
    }

    private func negotiate() async throws -> UpgradeOutcome {
        let outcome: EventLoopFuture<UpgradeOutcome>
        do {
            outcome = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(5))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try prepare(channel) }
                }
        } catch {
            throw ClientFailure.unreachable(address: "\(address)", reason: "\(error)")
        }
        return try await outcome.get()
    }

    private func prepare(_ channel: any Channel) throws -> EventLoopFuture<UpgradeOutcome> {
        let outcome = channel.eventLoop.makePromise(of: UpgradeOutcome.self)
        let pipeline = channel.pipeline.syncOperations
        if let traffic { try pipeline.addHandler(TrafficHandler(traffic)) }
        try pipeline.addHandler(
            UpgradeHandler(request: requestHead, limit: Self.limit, outcome: outcome, open: open))
        return outcome.futureResult
    }

    private func open(_ channel: any Channel, _ head: HTTPResponseHead) throws -> ProgressSocket {
        let producer = NIOAsyncSequenceProducer.makeSequence(
            elementType: SocketEvent.self,
            backPressureStrategy: NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
                lowWatermark: maximumWaitingEvents / 2, highWatermark: maximumWaitingEvents),
            finishOnDeinit: false, delegate: ReadResumption(channel: channel))
        do {
            try addHandlers(to: channel, source: producer.source)
        } catch {
            producer.source.finish()
            throw error
        }
        return ProgressSocket(upgrade: head, events: producer.sequence, channel: channel)
    }

    private func addHandlers(to channel: any Channel, source: ProgressSocket.Events.Source) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(WebSocketFrameEncoder())
        try pipeline.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: Self.maximumMessageBytes)))
        try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024,
                maxAccumulatedFrameSize: Self.maximumMessageBytes))
        try pipeline.addHandler(ProgressSocketHandler(source: source))
    }

    private var requestHead: HTTPRequestHead {
        var headers = headers
        headers.replaceOrAdd(name: "Host", value: address.hostHeader)
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "bookstrack") }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
    }
}

/// The outcome of an upgrade request.
enum UpgradeOutcome: Sendable {
    case upgraded(ProgressSocket)
    /// The server's response, the rest of which may still be arriving.
    case refused(EventLoopFuture<HTTPAnswer>)
}

/// Separates the head of a 101 response from the WebSocket bytes after it.
enum UpgradeHead {
    /// Maximum size of the head of a 101 response, in bytes.
    static let limit = 16 << 10

    private static let end = Array("\r\n\r\n".utf8)

    /// The length of the head including its empty line; nil if it is incomplete.
    static func length(in bytes: ByteBuffer) -> Int? {
        let view = bytes.readableBytesView
        return view.firstRange(of: end).map { view.distance(from: view.startIndex, to: $0.upperBound) }
    }

    /// The head of a 101 response; nil for any other status and for anything that is not HTTP/1.1 (RFC 9112 §4).
    static func switchingProtocols(_ text: String) -> HTTPResponseHead? {
        let lines = text.split(separator: "\r\n")
        let status = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard status.count >= 2, status[0] == "HTTP/1.1", status[1] == "101" else { return nil }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.add(name: String(line[..<colon]), value: String(value))
        }
        return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    }
}

/// Requests the upgrade and adds the handlers for the response (RFC 6455 §4.1).
///
/// A server may send its 101, frames and the close all at once. NIO's own upgrade replaces handlers over several ticks of the event loop, and if the
/// close arrives in between, the frames are lost. Here, all handlers are in place before the next bytes are read.
final class UpgradeHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: HTTPRequestHead
    private let limit: TimeAmount
    private let outcome: EventLoopPromise<UpgradeOutcome>
    private let open: (any Channel, HTTPResponseHead) throws -> ProgressSocket
    private let upgrader: NIOWebSocketClientUpgrader
    private var received = ByteBuffer()
    private var isDone = false
    private var isRefused = false
    private var timer: Scheduled<Void>?

    /// `open` creates the socket and adds its handlers.
    init(
        request: HTTPRequestHead, limit: TimeAmount, outcome: EventLoopPromise<UpgradeOutcome>,
        open: @escaping (any Channel, HTTPResponseHead) throws -> ProgressSocket
    ) {
        var request = request
        upgrader = NIOWebSocketClientUpgrader { channel, _ in channel.eventLoop.makeSucceededVoidFuture() }
        request.headers.add(name: "Connection", value: "upgrade")
        request.headers.add(name: "Upgrade", value: "websocket")
        upgrader.addCustom(upgradeRequestHeaders: &request.headers)
        self.request = request
        self.limit = limit
        self.outcome = outcome
        self.open = open
    }

    func channelActive(context: ChannelHandlerContext) {
        var text = "\(request.method) \(request.uri) HTTP/1.1\r\n"
        for (name, value) in request.headers { text += "\(name): \(value)\r\n" }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + "\r\n")), promise: nil)
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        guard let length = UpgradeHead.length(in: received) else {
            if received.readableBytes > UpgradeHead.limit { context.close(promise: nil) }
            return
        }
        isDone = true
        do {
            try answered(length, context.channel)
        } catch {
            outcome.fail(error)
            context.close(promise: nil)
            return
        }
        if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
    }

    /// After a refusal, nothing more is sent: any outbound data is the request that `RefusalHandler` passes to NIO's
    /// decoder.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isRefused { promise?.succeed() } else { context.write(data, promise: promise) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        outcome.fail(ClientFailure.closedEarly)
    }

    private func answered(_ length: Int, _ channel: any Channel) throws {
        let text = received.getString(at: received.readerIndex, length: length) ?? ""
        guard let head = UpgradeHead.switchingProtocols(text) else {
            isRefused = true
            let refusal = RefusalHandler(request: request, channel.eventLoop.makePromise())
            try channel.pipeline.syncOperations.addHandlers([ByteToMessageHandler(HTTPResponseDecoder()), refusal])
            outcome.succeed(.refused(refusal.answer))
            return
        }
        guard upgrader.shouldAllowUpgrade(upgradeResponse: head) else {
            throw ClientFailure.malformed("the server's Sec-WebSocket-Accept does not match")
        }
        timer?.cancel()
        received.moveReaderIndex(forwardBy: length)
        outcome.succeed(.upgraded(try open(channel, head)))
    }
}

/// Collects the response of a server that refuses to upgrade, and closes the connection.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequestHead
    private let promise: EventLoopPromise<HTTPAnswer>
    private var collector = AnswerCollector()

    /// `request` is the refused request.
    init(request: HTTPRequestHead, _ promise: EventLoopPromise<HTTPAnswer>) {
        self.request = request
        self.promise = promise
    }

    var answer: EventLoopFuture<HTTPAnswer> { promise.futureResult }

    /// NIO's decoder accepts a response only after it has seen a request, since the request's method determines how the
    /// body ends.
    func handlerAdded(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            guard let answer = try collector.take(unwrapInboundIn(data)) else { return }
            promise.succeed(answer)
        } catch {
            promise.fail(error)
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ClientFailure.closedEarly)
        context.fireChannelInactive()
    }
}
