import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Builds the two HTTP listeners: pure functions of what they serve.
enum HTTPListeners {
    private static let adminLimits = ConnectionLimits(total: 64, perAddress: 64)

    /// Answers requests; the same for both listeners but for the routes.
    static func responder(
        _ routes: [Route], originRule: OriginRule, hosts: HostList?, limiter: RateLimiter?, metrics: HTTPMetrics,
        logger: Logger
    ) -> some HTTPResponder<ProxyContext> {
        let router = Router(context: ProxyContext.self, options: .autoGenerateHeadEndpoints)
        for route in routes { router.on(RouterPath(route.path), method: route.method, use: route.handler) }
        return EdgeResponder(
            next: router.buildResponder(), routes: RouteTable(routes, labels: metrics.routes), originRule: originRule,
            hosts: hosts, limiter: limiter, metrics: metrics, logger: logger)
    }

    /// The listener for clients.
    static func publicServer(
        _ routes: [Route], door: SocketDoor, settings: ProxySettings, handover: ListenerHandover, metrics: HTTPMetrics,
        group: any EventLoopGroup, logger: Logger, onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> some Service {
        let limiter = settings.rateLimits.map { RateLimiter($0, trustedProxies: settings.trustedProxies) }
        let responder = responder(
            routes, originRule: settings.originRule, hosts: nil, limiter: limiter, metrics: metrics, logger: logger)
        return HTTPServer(
            place: settings.publicPlace, name: .public, handover: handover,
            connections: EdgeChannel(
                responder: HTTPAnswering(responder, feed: door.feed, logger: logger).closure, door: door,
                admitsSockets: true, connections: metrics.connections),
            limits: settings.connectionLimits, trustedProxies: settings.trustedProxies,
            refusals: metrics.connectionsRefused, backlog: 4_096, group: group, logger: logger, onRunning: onRunning)
    }

    /// The listener for operators.
    static func adminServer(
        _ routes: [Route], door: SocketDoor, settings: ProxySettings, handover: ListenerHandover, metrics: HTTPMetrics,
        group: any EventLoopGroup, logger: Logger, onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> some Service {
        let responder = responder(
            routes, originRule: settings.originRule, hosts: settings.adminNames, limiter: nil, metrics: metrics,
            logger: logger)
        return HTTPServer(
            place: settings.adminPlace, name: .admin, handover: handover,
            connections: EdgeChannel(
                responder: HTTPAnswering(responder, feed: door.feed, logger: logger).closure, door: door,
                admitsSockets: false, connections: nil),
            limits: adminLimits, trustedProxies: settings.trustedProxies, refusals: metrics.connectionsRefused,
            backlog: 256, group: group, logger: logger, onRunning: onRunning)
    }
}
