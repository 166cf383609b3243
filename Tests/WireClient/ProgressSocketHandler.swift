import NIOCore
import NIOWebSocket

/// The client's end of an upgraded connection: turns frames into events, answers PING and close frames, and applies backpressure.
final class ProgressSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// How long the server may take to close the connection once this end has closed its output.
    private static let closeLimit = TimeAmount.seconds(2)

    private let source: ProgressSocket.Events.Source
    private var mayRead = true
    private var wantsRead = false
    private var sentClose = false
    private var closeCode: UInt16?

    init(source: ProgressSocket.Events.Source) { self.source = source }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary: yield(.message(frame.unmaskedData))
        case .ping: writeFrame(.pong, frame.unmaskedData, context)
        case .connectionClose: closeReceived(frame.unmaskedData, context)
        default: break
        }
    }

    func read(context: ChannelHandlerContext) {
        if mayRead { context.read() } else { wantsRead = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ReadResumption.Resume else { return context.fireUserInboundEventTriggered(event) }
        mayRead = true
        if wantsRead {
            wantsRead = false
            context.read()
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var frame = unwrapOutboundIn(data)
        if frame.opcode == .connectionClose { sentClose = true }
        frame.maskKey = .random()
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
            endConversation(.messageTooLarge, context)
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error:
            endConversation(.protocolError, context)
        default:
            context.close(promise: nil)
        }
    }

    /// Every connection ends here, since a channel removes its handlers when it closes.
    func handlerRemoved(context: ChannelHandlerContext) {
        yield(.closed(code: closeCode))
        source.finish()
    }

    private func yield(_ kind: SocketEvent.Kind) {
        if source.yield(SocketEvent(kind: kind)) == .stopProducing { mayRead = false }
    }

    private func closeReceived(_ body: ByteBuffer, _ context: ChannelHandlerContext) {
        var body = body
        closeCode = body.readInteger()
        endConversation(closeCode.map { WebSocketErrorCode(codeNumber: Int($0)) } ?? .normalClosure, context)
    }

    /// Sends the close frame, unless that has been done, and lets the server close the connection first (RFC 6455 §7.1.1): if this end closed it
    /// while bytes from the server were unread, the connection would be reset and the frame lost.
    private func endConversation(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        sendClose(code, context)
        let channel = context.channel
        context.close(mode: .output, promise: nil)
        context.eventLoop.scheduleTask(in: Self.closeLimit) { channel.close(promise: nil) }
    }

    private func sendClose(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        guard !sentClose else { return }
        sentClose = true
        var body = ByteBuffer()
        body.write(webSocketErrorCode: code)
        writeFrame(.connectionClose, body, context)
    }

    private func writeFrame(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: bytes)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}

/// Resumes reading when the consumer of the events has caught up, and closes the connection when there is no consumer.
package struct ReadResumption: NIOAsyncSequenceProducerDelegate {
    let channel: any Channel

    package func produceMore() {
        channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(Resume()) }
    }

    package func didTerminate() { channel.close(promise: nil) }

    /// Tells a `ProgressSocketHandler` to resume reading.
    struct Resume: Sendable {}
}
