import NIOCore

/// Ends accepting so that nobody who was let in is left without an answer. It stands first in a listener's pipeline.
///
/// NIO drops a connection whose set-up ends after its listener has closed, on two ways: `ServerBootstrap` closes it, or its listener's
/// sequence loses it. Therefore the listener closes only when everything that was accepted is served.
final class AcceptingHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// Asks the listener to stop, as an outbound event.
    struct Stop: Sendable {}

    /// How long after the stop the listener still asks for connections.
    private static let acceptLimit = TimeAmount.milliseconds(500)
    /// Longest time until it is closed: set-up takes that long only in a process that stands still. Twice this and the 5 s of the sockets
    /// are within the time that a stop may take.
    private static let settleLimit = TimeAmount.seconds(1)
    private static let settleInterval = TimeAmount.milliseconds(1)

    private let connections: OpenConnections
    /// Whether another process takes the connections that nobody has accepted yet. Otherwise they are taken now, because they end with
    /// the socket.
    private let leavesBacklog: Bool
    /// When the listener was told to stop.
    private var stoppedAt: NIODeadline?

    init(_ connections: OpenConnections, leavesBacklog: Bool) {
        self.connections = connections
        self.leavesBacklog = leavesBacklog
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connections.enter(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if accepts(at: context.eventLoop.now) { context.read() }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Stop else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard stoppedAt == nil else { return }
        stoppedAt = context.eventLoop.now
        if leavesBacklog { context.channel.pauseReading() }
        closeWhenSettled(context)
    }

    private func accepts(at now: NIODeadline) -> Bool {
        guard let stoppedAt else { return true }
        return !leavesBacklog && now < stoppedAt + Self.acceptLimit
    }

    private func closeWhenSettled(_ context: ChannelHandlerContext) {
        guard let stoppedAt, context.channel.isActive else { return }
        let now = context.eventLoop.now
        let isSettled = !connections.isAnyUnserved && !(accepts(at: now) && context.channel.hasUnread)
        if isSettled || now >= stoppedAt + Self.settleLimit { return context.close(promise: nil) }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.settleInterval) { self.closeWhenSettled(context) }
    }
}
