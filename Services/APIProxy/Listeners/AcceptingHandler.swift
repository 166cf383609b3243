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

    /// Longest time until the listener is closed after it was told to stop.
    static let settleLimit = TimeAmount.milliseconds(500)
    private static let settleInterval = TimeAmount.milliseconds(1)

    private let connections: OpenConnections
    /// Whether another process takes the connections that nobody has accepted yet. Otherwise they are taken now, because they end with
    /// the socket.
    private let leavesBacklog: Bool
    /// When the listener is closed at the latest; nil until it is told to stop.
    private var deadline: NIODeadline?

    init(_ connections: OpenConnections, leavesBacklog: Bool) {
        self.connections = connections
        self.leavesBacklog = leavesBacklog
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connections.enter(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if deadline == nil || !leavesBacklog { context.read() }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Stop else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard deadline == nil else { return }
        deadline = context.eventLoop.now + Self.settleLimit
        if leavesBacklog { context.channel.pauseReading() }
        closeWhenSettled(context)
    }

    private func closeWhenSettled(_ context: ChannelHandlerContext) {
        guard let deadline, context.channel.isActive else { return }
        let isSettled = !connections.isAnyUnserved && (leavesBacklog || !context.channel.hasUnread)
        if isSettled || deadline <= context.eventLoop.now { return context.close(promise: nil) }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.settleInterval) { self.closeWhenSettled(context) }
    }
}
