import NIOCore
import NIOHTTP1
import NIOPosix

/// The emulator on a TCP port of the loopback interface.
struct EmulatorServer: Sendable {
    private let channel: any Channel

    /// The specified port, or the port chosen by the system.
    var port: Int { channel.localAddress?.port ?? 0 }

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - group: One thread is enough for several thousand requests per second.
    /// - Throws: `IOError` if the port cannot be used.
    static func start(_ emulator: Emulator, port: Int, group: any EventLoopGroup) async throws -> EmulatorServer {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(EmulatorRequestHandler(emulator: emulator))
                }
            }
        return EmulatorServer(channel: try await bootstrap.bind(host: "127.0.0.1", port: port).get())
    }

    func stop() async throws {
        try await channel.close()
    }
}

/// Collects the parts of a request, obtains its delivery from the emulator, and passes the delivery to a ``Deliverer``.
final class EmulatorRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Maximum size of a body, in bytes; longer bodies are truncated.
    private static let maximumBody = 16 << 20

    private let emulator: Emulator
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    /// Whether a part of the body exceeded the limit and was dropped. All later parts are dropped too, since the body would otherwise have a gap.
    private var isCut = false
    /// The provider whose response is not complete yet.
    private var pending: Provider?

    init(emulator: Emulator) {
        self.emulator = emulator
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
            isCut = false
        case .body(var part):
            isCut = isCut || body.readableBytes + part.readableBytes > Self.maximumBody
            if !isCut { body.writeBuffer(&part) }
        case .end:
            guard let head else { return }
            let delivery = emulator.delivery(for: ReceivedRequest(head: head, body: body))
            pending = delivery.provider
            begin(delivery, keepAlive: head.isKeepAlive, context: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func finish() {
        if let provider = pending { emulator.finished(provider) }
        pending = nil
    }

    private func begin(_ delivery: Delivery, keepAlive: Bool, context: ChannelHandlerContext) {
        let deliverer = Deliverer(context: context, keepAlive: keepAlive) { self.finish() }
        guard delivery.delay > .zero else { return deliverer.deliver(delivery.manner) }
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delivery.delay)) {
            deliverer.deliver(delivery.manner)
        }
    }
}

/// A request with its body.
struct ReceivedRequest: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer

    /// The URL of this server as used by the client.
    var origin: String { "http://\(head.headers.first(name: "Host") ?? "127.0.0.1")" }
}
