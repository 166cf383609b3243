import NIOCore
import NIOHTTP1

/// Collects a request, asks the emulator for its delivery, and hands that to the deliverer.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Larger bodies are cut; only lists of fault rules come near it.
    private static let maximumBody = 4 << 20

    private let emulator: Emulator
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    /// The provider that has been asked and whose answer has not ended.
    private var pending: Provider?

    init(emulator: Emulator) {
        self.emulator = emulator
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var part):
            if body.readableBytes + part.readableBytes <= Self.maximumBody { body.writeBuffer(&part) }
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
