import Glibc
import NIOCore

/// Accepts connections within the listener's limits, and pauses while no file descriptors or kernel memory are left. This is the first handler in a
/// listener's pipeline.
///
/// NIO's `ServerBootstrap` closes a connection whose setup ends after its listener has closed. Therefore, a stopping listener stays open until every
/// accepted connection is served, but no longer than ``settleLimit``.
final class AcceptingHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// The outbound event that stops the listener.
    struct Stop: Sendable {}

    /// Maximum time during which the listener continues to accept connections after it was asked to stop.
    private static let acceptLimit = TimeAmount.milliseconds(500)
    /// Maximum time from the request to stop until the listener closes; the setup of a connection takes that long only in a suspended process. The
    /// two listeners stop one after the other; twice this limit and the 5 s for the sockets fit into the time allowed for a stop.
    private static let settleLimit = TimeAmount.seconds(1)
    private static let settleInterval = TimeAmount.milliseconds(1)
    /// How long accepting pauses when no file descriptors or kernel memory are left.
    private static let pause = TimeAmount.milliseconds(500)

    private let connections: OpenConnections
    private let refusals: ConnectionRefusals
    private var isPaused = false
    /// Whether another process will accept the connections that are still in the backlog. If not, a stopping listener accepts them, because they
    /// would be reset when the socket closes.
    private let leavesBacklog: () -> Bool
    /// When the listener was asked to stop; nil until then.
    private var stoppedAt: NIODeadline?

    init(_ connections: OpenConnections, refusals: ConnectionRefusals, leavesBacklog: @escaping () -> Bool) {
        self.connections = connections
        self.refusals = refusals
        self.leavesBacklog = leavesBacklog
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        guard let refusal = connections.enter(channel) else { return context.fireChannelRead(data) }
        refusals.note(refusal, of: channel.remoteAddress, at: context.eventLoop.now)
        channel.eventLoop.execute { channel.dismiss(with: refusal.answer) }
    }

    func read(context: ChannelHandlerContext) {
        guard !isPaused, accepts(at: context.eventLoop.now) else { return }
        let channel = context.channel
        // A stopping listener ignores the balance, because the listeners of the other loops may already be closed.
        if stoppedAt != nil || connections.mayAccept(on: channel.eventLoop, orElse: { channel.read() }) {
            context.read()
        }
    }

    /// Pauses accepting if no file descriptors or kernel memory are left; connections wait in the kernel. Without a pause, NIO would keep trying to
    /// accept them and receive the same error each time.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else {
            return context.fireErrorCaught(error)
        }
        guard !isPaused else { return }
        isPaused = true
        context.channel.pauseReading()
        refusals.note(.descriptors, of: nil, at: context.eventLoop.now)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPaused = false
            if self.accepts(at: context.eventLoop.now) { context.channel.resumeReading() }
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Stop else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard stoppedAt == nil else { return }
        stoppedAt = context.eventLoop.now
        if leavesBacklog() { context.channel.pauseReading() } else { context.channel.read() }
        closeWhenSettled(context)
    }

    private func accepts(at now: NIODeadline) -> Bool {
        guard let stoppedAt else { return true }
        return !leavesBacklog() && now < stoppedAt + Self.acceptLimit
    }

    private func closeWhenSettled(_ context: ChannelHandlerContext) {
        guard let stoppedAt, context.channel.isActive else { return }
        let now = context.eventLoop.now
        let isSettled = !connections.isAnyUnserved && !(accepts(at: now) && context.channel.hasUnread)
        if isSettled || now >= stoppedAt + Self.settleLimit { return context.close(promise: nil) }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.settleInterval) { self.closeWhenSettled(context) }
    }
}

extension Channel {
    /// Whether the kernel has unread input (poll(2)): bytes, the end of a connection, or a connection to accept. Call on the event loop.
    var hasUnread: Bool {
        let result = withDescriptor { descriptor in
            var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&asked, 1, 0) > 0
        }
        return result ?? false
    }

    /// Sends as much of `answer` as the kernel accepts immediately, and closes this connection, which is not served by any handler. Call on the event
    /// loop.
    func dismiss(with answer: StaticString) {
        withDescriptor { descriptor in
            let flags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)
            _ = send(descriptor, answer.utf8Start, answer.utf8CodeUnitCount, flags)
            Glibc.shutdown(descriptor, CInt(SHUT_WR))
            // Closing the connection with unread bytes would reset it, and the client might not receive the response.
            withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
                _ = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
            }
        }
        close(promise: nil)
    }

    @discardableResult
    private func withDescriptor<Outcome>(_ body: (CInt) -> Outcome) -> Outcome? {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { body($0) }
    }

    /// Stops automatic reading and accepting. Call on the event loop.
    func pauseReading() {
        // This fails only on a closed channel, which reads nothing anyway.
        try? syncOptions?.setOption(.autoRead, value: false)
    }

    /// Ends ``pauseReading()``.
    func resumeReading() { try? syncOptions?.setOption(.autoRead, value: true) }
}
