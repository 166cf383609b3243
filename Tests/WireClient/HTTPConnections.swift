import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// The connections of an `HTTPClient`; idle ones are reused.
final class HTTPConnections: Sendable {
    private struct State {
        var idle: [any Channel] = []
        var isShutDown = false
    }

    private let address: ServerAddress
    private let group: any EventLoopGroup
    /// Maximum number of idle connections.
    private let maximumIdle: Int
    private let traffic: TrafficCounter?
    private let state = NIOLockedValueBox(State())

    init(address: ServerAddress, group: any EventLoopGroup, maximumIdle: Int, traffic: TrafficCounter?) {
        self.address = address
        self.group = group
        self.maximumIdle = maximumIdle
        self.traffic = traffic
    }

    /// Removes and returns an idle connection that is still open; nil if there is none.
    func takeIdle() -> (any Channel)? {
        state.withLockedValue { state in
            while let channel = state.idle.popLast() {
                if channel.isActive { return channel }
            }
            return nil
        }
    }

    func open() async throws -> any Channel {
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.seconds(5))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [traffic] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let traffic { try pipeline.addHandler(TrafficHandler(traffic)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTPExchangeHandler())
                }
            }
        do {
            return try await bootstrap.connect(host: address.host, port: address.port).get()
        } catch {
            throw ClientFailure.unreachable(address: "\(address)", reason: "\(error)")
        }
    }

    /// Keeps a reusable connection, and closes the oldest one if there are too many; after `shutdown`, closes the connection instead.
    func keep(_ channel: any Channel) {
        let surplus: (any Channel)? = state.withLockedValue { state in
            guard !state.isShutDown else { return channel }
            state.idle.append(channel)
            return state.idle.count > maximumIdle ? state.idle.removeFirst() : nil
        }
        surplus?.close(promise: nil)
    }

    func shutdown() async {
        let idle = state.withLockedValue { state in
            state.isShutDown = true
            defer { state.idle = [] }
            return state.idle
        }
        for channel in idle { try? await channel.close() }
    }
}

/// A request in flight and the promise of its response.
struct HTTPExchange: Sendable {
    struct Outcome: Sendable {
        var answer: HTTPAnswer
        /// Whether the connection can be reused.
        var keepsConnection: Bool
    }

    var head: HTTPRequestHead
    var body: ByteBuffer?
    var promise: EventLoopPromise<Outcome>
}

/// Carries out exchanges over a connection, one after the other: accepts `HTTPExchange`s instead of request parts.
final class HTTPExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    private var collector = AnswerCollector()
    private var promise: EventLoopPromise<HTTPExchange.Outcome>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise written: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        promise = exchange.promise
        collector = AnswerCollector()
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: written)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            guard let answer = try collector.take(unwrapInboundIn(data)) else { return }
            finish(.success(.init(answer: answer, keepsConnection: collector.keepsConnection)))
        } catch {
            finish(.failure(error))
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(lostConnection))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error is IOError ? lostConnection : ClientFailure(error)))
        context.close(promise: nil)
    }

    private var lostConnection: any Error { collector.hasBegun ? ClientFailure.closedEarly : UnansweredClose() }

    private func finish(_ result: Result<HTTPExchange.Outcome, any Error>) {
        promise?.completeWith(result)
        promise = nil
    }
}

/// Collects the parts of one response, up to a maximum size.
struct AnswerCollector {
    private static let maximumBytes = 256 << 20

    private var answer: HTTPAnswer?
    private(set) var keepsConnection = false

    /// Whether the head of the response has arrived.
    var hasBegun: Bool { answer != nil }

    /// Takes the next part; returns the response once it is complete. Informational responses (1xx) other than 101 are skipped.
    mutating func take(_ part: HTTPClientResponsePart) throws(ClientFailure) -> HTTPAnswer? {
        switch part {
        case .head(let head):
            guard head.status.code >= 200 || head.status == .switchingProtocols else { return nil }
            answer = HTTPAnswer(status: Int(head.status.code), headers: head.headers)
            keepsConnection = head.isKeepAlive
            return nil
        case .body(var bytes):
            guard let collected = answer?.body.readableBytes, collected + bytes.readableBytes <= Self.maximumBytes
            else { throw .malformed("the response is larger than \(Self.maximumBytes) bytes") }
            answer?.body.writeBuffer(&bytes)
            return nil
        case .end:
            defer { answer = nil }
            return answer
        }
    }
}

/// The connection was closed before the head of the response arrived, for example because the server had already closed a reused connection.
struct UnansweredClose: Error {}
