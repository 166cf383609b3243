import Glibc
import JSONRPC
import Logging
import NIOCore
import Observability
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// Listens on `api-proxy.sock`, and for a successor.
struct ForwardingService: Service {
    let path: String
    let allowedUIDs: Set<UInt32>
    let router: RPCRouter
    let handover: ListenerHandover
    /// Maximum time during which an api-proxy whose ports were taken over may still listen on the socket.
    let predecessorTimeout: Duration
    let group: any EventLoopGroup
    let metrics: ServerMetrics
    let logger: Logger
    /// Called once the service is listening.
    let onRunning: @Sendable () -> Void

    func run() async throws {
        let server = try await bind()
        metrics.follow(server)
        let successors = try await handover.listen(on: group)
        onRunning()
        try? await gracefulShutdown()
        await handover.end(successors)
        await server.shutdown()
    }

    private func bind() async throws -> RPCServer {
        let deadline = ContinuousClock.now + predecessorTimeout
        while true {
            do {
                return try await RPCServer.bind(
                    path: path, router: router, allowedUIDs: allowedUIDs.union([getuid()]), group: group,
                    logger: logger)
            } catch  where ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

/// The methods of api-proxy's own socket (Services/README.md "JSON-RPC").
enum ForwardingRouter {
    static func make(
        host: RPCClient, readiness: Readiness, searches: SearchLink, socketLimiter: SocketLimiter, tail: TailHub,
        metrics: ServerMetrics, settings: [ReadSettings.Setting] = []
    ) -> RPCRouter {
        var router = RPCRouter()
        router.handle(HealthCheck.self) { _, _ in
            HealthCheck.Result(
                service: .apiProxy, version: SuiteVersion.text, readiness: await readiness.report())
        }
        router.answerMetrics(from: metrics)
        router.answerSettings(of: .apiProxy, settings)
        router.handle(ReadStatus.self) { _, _ in
            await status(readiness: readiness, searches: searches, socketLimiter: socketLimiter)
        }
        router.handleRaw(PushProgress.proxyName) { parameters, _ in
            try await host.callRaw(PushProgress.name, parameters, deadline: PushProgress.deadline)
        }
        router.handleRaw(CloseConnection.proxyName) { parameters, _ in
            try await host.callRaw(CloseConnection.name, parameters, deadline: CloseConnection.deadline)
        }
        router.handle(ReadCacheStatistics.self) { _, _ in searches.statistics }
        router.handle(PurgeCache.self) { _, _ in PurgeCache.Result(removed: searches.purge()) }
        router.answerTail(of: .apiProxy, from: tail)
        return router
    }

    /// The status of this process.
    static func status(
        readiness: Readiness, searches: SearchLink, socketLimiter: SocketLimiter
    ) async -> ReadStatus.Result {
        var status = ReadStatus.Result(of: .apiProxy, readiness.health, await readiness.report())
        status.proxy = ProxyFigures(sockets: socketLimiter.figure, cache: CacheFigure(searches.statistics))
        return status
    }
}

extension CacheFigure {
    fileprivate init(_ statistics: ReadCacheStatistics.Result) {
        self.init(
            bytes: statistics.bytes, limit: statistics.limit, hits: statistics.hits, staleHits: statistics.staleHits,
            misses: statistics.misses)
    }
}
