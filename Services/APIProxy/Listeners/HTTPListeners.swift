import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Builds the two HTTP listeners.
enum HTTPListeners {
    private static let adminLimits = ConnectionLimits(total: 64, perAddress: 64)

    /// The rules for a listener's responses.
    static func rules(
        _ routes: [Route], originRule: OriginRule, hosts: HostList?, limiter: RateLimiter?, admission: UpgradeAdmission,
        metrics: HTTPMetrics
    ) -> EdgeRules {
        EdgeRules(
            routes: RouteTable(routes, labels: metrics.routes), originRule: originRule, hosts: hosts, limiter: limiter,
            metrics: metrics, feed: admission.feed, logger: admission.logger)
    }

    /// The router and the responder around it, for either listener.
    private static func responder(_ routes: [Route], _ rules: EdgeRules) -> HTTPChannelHandler.Responder {
        let router = Router(context: ProxyContext.self)
        for route in routes {
            guard let handler = route.handler else { continue }
            for method in route.methods { router.on(RouterPath(route.path), method: method, use: handler) }
        }
        return HTTPAnswering(responder: EdgeResponder(next: router.buildResponder(), rules: rules), rules: rules)
            .closure
    }

    /// The rules of the listener for clients.
    static func publicRules(
        _ routes: [Route], admission: UpgradeAdmission, settings: ProxySettings, metrics: HTTPMetrics
    ) -> EdgeRules {
        rules(
            routes, originRule: settings.originRule, hosts: nil,
            limiter: settings.rateLimits.map { RateLimiter($0, trustedProxies: settings.trustedProxies) },
            admission: admission,
            metrics: metrics)
    }

    /// The listener for clients.
    static func publicServer(
        _ routes: [Route], _ rules: EdgeRules, admission: UpgradeAdmission, settings: ProxySettings,
        handover: ListenerHandover,
        metrics: HTTPMetrics, group: any EventLoopGroup, onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> HTTPServer {
        HTTPServer(
            place: settings.publicPlace, name: .public, handover: handover,
            connections: EdgeChannel(
                responder: responder(routes, rules), admission: admission, rules: rules, admitsSockets: true,
                connections: metrics.connections, executors: EventLoopTaskExecutors(group), logger: admission.logger),
            limits: settings.connectionLimits, trustedProxies: settings.trustedProxies,
            refusals: metrics.connectionsRefused, backlog: 4_096, group: group, logger: admission.logger,
            onRunning: onRunning)
    }

    /// The listener for operators.
    static func adminServer(
        _ routes: [Route], admission: UpgradeAdmission, settings: ProxySettings, handover: ListenerHandover,
        metrics: HTTPMetrics,
        group: any EventLoopGroup, onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> HTTPServer {
        let rules = rules(
            routes, originRule: settings.adminOriginRule, hosts: settings.adminNames, limiter: nil,
            admission: admission,
            metrics: metrics)
        return HTTPServer(
            place: settings.adminPlace, name: .admin, handover: handover,
            connections: EdgeChannel(
                responder: responder(routes, rules), admission: admission, rules: rules, admitsSockets: false,
                connections: nil,
                executors: EventLoopTaskExecutors(group), logger: admission.logger),
            limits: adminLimits, trustedProxies: settings.trustedProxies, refusals: metrics.connectionsRefused,
            backlog: 256, group: group, logger: admission.logger, onRunning: onRunning)
    }
}

/// The listener for clients. After the server, which waits only for HTTP connections, it also waits for its sockets to close.
struct PublicListener<Server: Service>: Service {
    /// Maximum time to wait for the peers' close frames; operations.md allows 10 s for the whole stop.
    private static var socketsLimit: TimeAmount { .seconds(5) }

    let server: Server
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
