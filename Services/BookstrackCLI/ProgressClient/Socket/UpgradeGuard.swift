import NIOCore

/// Looks after a connection that is being upgraded: holds its end back and bounds its time.
///
/// A server may send its 101, frames and the end at once. NIO swaps its HTTP handlers over several ticks; an end that took the
/// pipeline apart in between would lose the frames. So the connection may be half closed, and is closed from here.
final class UpgradeGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// What an upgrade still takes after the server's last byte: a few ticks of the event loop.
    private static let grace = TimeAmount.milliseconds(50)

    private let limit: TimeAmount
    private var isUpgrading = true
    private var endSeen = false
    private var timer: Scheduled<Void>?

    init(limit: TimeAmount) { self.limit = limit }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        endSeen = true
        let channel = context.channel
        if isUpgrading {
            timer?.cancel()
            timer = context.eventLoop.scheduleTask(in: Self.grace) { channel.close(promise: nil) }
        } else {
            channel.close(promise: nil)
        }
    }

    /// The upgrade has come to its end; an end of the connection that was seen meanwhile holds from the next tick on, when
    /// the frames have been handed over.
    func finish(_ channel: any Channel) {
        isUpgrading = false
        timer?.cancel()
        if endSeen { channel.eventLoop.execute { channel.close(promise: nil) } }
    }
}
