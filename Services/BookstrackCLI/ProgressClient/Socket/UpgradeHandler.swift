import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Asks for the upgrade and puts the handlers for the answer behind itself (RFC 6455 §4.1).
///
/// A server may send its 101, frames and the end at once. NIO's own upgrade swaps handlers over several ticks of the event
/// loop, and an end in between takes the frames with it; here everything is in place before the next bytes are read.
final class UpgradeHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: HTTPRequestHead
    private let limit: TimeAmount
    private let outcome: EventLoopPromise<Upgrade>
    private let open: (any Channel, HTTPResponseHead) throws -> ProgressSocket
    private let upgrader: NIOWebSocketClientUpgrader
    private var received = ByteBuffer()
    private var isDone = false
    private var isRefused = false
    private var timer: Scheduled<Void>?

    /// `open` adds the handlers of the socket and gives the socket.
    init(
        request: HTTPRequestHead, limit: TimeAmount, outcome: EventLoopPromise<Upgrade>,
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

    /// After a refusal nothing is sent any more: what arrives is the request that `RefusalHandler` shows to NIO's decoder.
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
