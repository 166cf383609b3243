package import JSONRPC
package import SuiteMethods

extension RPCRouter {
    /// Answers `HealthCheck` with what `health` says at the moment.
    package mutating func answerHealthChecks(of service: ServiceName, from health: HealthReporter) {
        handle(HealthCheck.self) { _, _ in
            HealthCheck.Result(service: service, version: SuiteVersion.text, readiness: health.readiness)
        }
    }
}
