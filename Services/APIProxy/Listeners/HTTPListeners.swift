import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Builds the two HTTP applications: pure functions of what they serve.
enum HTTPListeners {
    /// Connections of the public listener that are not sockets, on top of the sockets' own limit.
    private static let plainConnections = 1_000
    private static let adminConnections = 64
    /// NIO takes 4 connections per turn unless told otherwise, which is few when thousands of sockets reconnect.
    private static let acceptsPerRead: UInt = 256

    /// Answers requests; the same for both listeners but for the routes.
    static func responder(
        _ routes: [Route], origins: OriginList, limiter: RateLimiter?, feed: RequestFeed, logger: Logger
    ) -> some HTTPResponder<ProxyContext> {
        let router = Router(context: ProxyContext.self, options: .autoGenerateHeadEndpoints)
        for route in routes { router.on(RouterPath(route.path), method: route.method, use: route.handler) }
        return EdgeResponder(
            next: router.buildResponder(), routes: RouteTable(routes), origins: origins, limiter: limiter,
            feed: feed, logger: logger)
    }

    /// The listener for clients.
    static func publicApplication(
        _ routes: [Route], door: SocketDoor, settings: ProxySettings, group: any EventLoopGroup, logger: Logger,
        onRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let limiter = settings.rateLimits.map { RateLimiter($0, trustedProxies: settings.trustedProxies) }
        return Application(
            responder: responder(routes, origins: settings.origins, limiter: limiter, feed: door.feed, logger: logger),
            server: HTTPServerBuilder { EdgeChannel(responder: $0, door: door) },
            configuration: .init(
                address: .hostname(settings.publicAddress.host, port: settings.publicAddress.port), backlog: 4_096,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    settings.socketLimits.total + plainConnections, logger: logger)),
            onServerRunning: { channel in
                try? await channel.setOption(.maxMessagesPerRead, value: acceptsPerRead).get()
                await onRunning(channel)
            },
            eventLoopGroupProvider: .shared(group), logger: logger)
    }

    /// The listener for operators.
    static func adminApplication(
        _ routes: [Route], settings: ProxySettings, feed: RequestFeed, group: any EventLoopGroup, logger: Logger,
        onRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            responder: responder(routes, origins: settings.origins, limiter: nil, feed: feed, logger: logger),
            server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: .init(
                address: .hostname(settings.adminAddress.host, port: settings.adminAddress.port),
                availableConnectionsDelegate: MaximumAvailableConnections(adminConnections, logger: logger)),
            onServerRunning: onRunning, eventLoopGroupProvider: .shared(group), logger: logger)
    }
}
