import NIOCore

/// First handler of a connection: reports what passes to a `TrafficCounter`.
final class TrafficHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let counter: TrafficCounter

    init(_ counter: TrafficCounter) { self.counter = counter }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        counter.add(received: unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        counter.add(sent: unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
