package import JSONRPC
import Observability
import SuiteMethods

extension RPCRouter {
    /// Answers `ReadMetrics` with what the process measures at the moment, and measures what is answered.
    ///
    /// - Parameter refresh: Looks at what is only known when it is looked at, such as health.
    package mutating func answerMetrics(
        from metrics: ServerMetrics, after refresh: @escaping @Sendable () async -> Void = {}
    ) {
        observe(with: metrics)
        handle(ReadMetrics.self) { _, _ in
            await refresh()
            return ReadMetrics.Result(service: metrics.service, families: metrics.registry.families())
        }
    }
}
