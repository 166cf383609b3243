import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Builds the two HTTP listeners.
struct HTTPListeners {
    private static let adminLimits = ConnectionLimits(total: 64, perAddress: 64)

    let settings: ProxySettings
    let watchers: WatcherAdmission
    let feed: RequestFeed
    let metrics: HTTPMetrics
    let handover: ListenerHandover
    let group: any EventLoopGroup
    let logger: Logger

    /// The listener for clients.
    func publicListener(
        _ routes: [Route], onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> PublicListener {
        let limiter = settings.rateLimits.map { RateLimiter($0, trustedProxies: settings.trustedProxies) }
        let rules = rules(routes, originRule: settings.originRule, hosts: nil, limiter: limiter)
        let server = HTTPServer(
            place: settings.publicPlace, name: .public, handover: handover,
            connections: EdgeChannel(
                responder: responder(routes, rules), rules: rules, admitsSockets: true,
                connections: metrics.connections, executors: EventLoopTaskExecutors(group)),
            limits: settings.connectionLimits, trustedProxies: settings.trustedProxies,
            refusals: metrics.connectionsRefused, backlog: 4_096, group: group, logger: logger, onRunning: onRunning)
        return PublicListener(
            server: server, socketLimiter: watchers.hub.socketLimiter, eventLoop: group.any(),
            warmUp: { [group] in await EdgeChannel.warmUp(rules, group: group) })
    }

    /// The listener for operators.
    func adminServer(_ routes: [Route], onRunning: @escaping @Sendable (any Channel) async -> Void) -> HTTPServer {
        let rules = rules(
            routes, originRule: settings.adminOriginRule, hosts: settings.adminNames, limiter: nil)
        return HTTPServer(
            place: settings.adminPlace, name: .admin, handover: handover,
            connections: EdgeChannel(
                responder: responder(routes, rules), rules: rules, admitsSockets: false, connections: nil,
                executors: EventLoopTaskExecutors(group)),
            limits: Self.adminLimits, trustedProxies: settings.trustedProxies, refusals: metrics.connectionsRefused,
            backlog: 256, group: group, logger: logger, onRunning: onRunning)
    }

    private func rules(
        _ routes: [Route], originRule: OriginRule, hosts: HostList?, limiter: RateLimiter?
    ) -> EdgeRules {
        EdgeRules(
            routes, originRule: originRule, hosts: hosts, limiter: limiter, watchers: watchers, metrics: metrics,
            feed: feed, logger: logger)
    }

    /// The router and the responder around it.
    private func responder(_ routes: [Route], _ rules: EdgeRules) -> HTTPChannelHandler.Responder {
        let router = Router(context: ProxyContext.self)
        for route in routes {
            guard let handler = route.handler else { continue }
            for method in route.methods { router.on(RouterPath(route.path), method: method, use: handler) }
        }
        return HTTPAnswering(responder: EdgeResponder(next: router.buildResponder(), rules: rules), rules: rules)
            .closure
    }
}

/// The listener for clients. When it stops, the server waits for HTTP connections but not for sockets, which then have up to ``socketsLimit`` to
/// close.
struct PublicListener: Service {
    /// Maximum time to wait for the clients' close frames; operations.md allows 10 s for the whole stop.
    private static let socketsLimit = TimeAmount.seconds(5)

    let server: HTTPServer
    let socketLimiter: SocketLimiter
    let eventLoop: any EventLoop
    /// Called before the server starts to listen.
    let warmUp: @Sendable () async -> Void

    func run() async throws {
        await warmUp()
        try await server.run()
        await socketLimiter.emptied(within: Self.socketsLimit, on: eventLoop)
    }
}
