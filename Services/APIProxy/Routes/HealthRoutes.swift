import BookstrackContract
import HTTPTypes
import Hummingbird
import ServiceKit
import SuiteMethods

/// `/health*` of both listeners; not enveloped (http-api.md "Envelope").
struct HealthRoutes: Sendable {
    let readiness: Readiness
    /// The routes that `/health` lists.
    let endpoints: [String]
    /// Whether `/health/ready` gives reasons, as the admin listener does.
    let showsReasons: Bool

    private struct Liveness: Encodable { var status = "live" }

    var routes: [Route] {
        [
            Route(.get, "/health", limit: .exempt) { _, _ in
                .json(
                    .ok,
                    HealthReport(
                        status: "ok", worker: ServiceName.apiProxy.rawValue, version: SuiteVersion.text,
                        endpoints: endpoints))
            },
            Route(.get, "/health/live", limit: .exempt) { _, _ in .json(.ok, Liveness()) },
            Route(.get, "/health/ready", limit: .exempt) { _, _ in
                var report = await readiness.report()
                if !showsReasons { report.dependencies = nil }
                return .json(report.status == .unavailable ? .serviceUnavailable : .ok, report)
            },
        ]
    }
}
