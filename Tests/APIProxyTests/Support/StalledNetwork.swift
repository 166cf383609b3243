import NIOCore

/// The outbound end of an embedded channel whose peer reads nothing until the test allows it to.
final class StalledNetwork: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private var waiting: [EventLoopPromise<Void>?] = []
    private(set) var written: [ByteBuffer] = []

    /// Number of bytes written so far.
    var bytes: Int { written.reduce(0) { $0 + $1.readableBytes } }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append(promise)
        written.append(unwrapOutboundIn(data))
    }

    /// Fails the pending writes, as a real channel does.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: mode, promise: promise)
        if mode == .all { for promise in takeWaiting() { promise?.fail(ChannelError.ioOnClosedChannel) } }
    }

    /// Lets the peer read everything that was written.
    func takeAll() {
        for promise in takeWaiting() { promise?.succeed() }
    }

    private func takeWaiting() -> [EventLoopPromise<Void>?] {
        defer { waiting = [] }
        return waiting
    }
}
