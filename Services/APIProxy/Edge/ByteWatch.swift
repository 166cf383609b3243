import NIOCore

/// Tells the gate behind the HTTP decoder that bytes have come, before they are decoded: only so a head that never ends is seen.
final class ByteWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let gate: ConnectionGate

    init(gate: ConnectionGate) { self.gate = gate }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        gate.bytesArrived(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }
}
