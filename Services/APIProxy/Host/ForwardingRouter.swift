import JSONRPC
import Observability
import ServiceKit
import SuiteMethods

/// What api-proxy answers on its own socket (Services/README.md "JSON-RPC").
enum ForwardingRouter {
    static func make(
        host: RPCClient, readiness: Readiness, searches: SearchLink, census: SocketCensus, tail: TailHub,
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
            var status = ReadStatus.Result(of: .apiProxy, readiness.health, await readiness.report())
            status.proxy = ProxyFigures(sockets: census.figure, cache: CacheFigure(searches.statistics))
            return status
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
}

extension CacheFigure {
    fileprivate init(_ statistics: ReadCacheStatistics.Result) {
        self.init(
            bytes: statistics.bytes, limit: statistics.limit, hits: statistics.hits, staleHits: statistics.staleHits,
            misses: statistics.misses)
    }
}
