import BookstrackContract
import NIOCore
import NIOWebSocket

// MARK: Events and errors

extension SocketHandler {
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: closeForRestart()
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: close(.messageTooBig, reason: "message is over 64 KiB")
        case is NIOWebSocketError: close(.protocolError, reason: "malformed frame")
        // What follows a malformed frame; the close is on its way.
        case is ByteToMessageDecoderError: break
        default: context.close(promise: nil)
        }
    }
}
