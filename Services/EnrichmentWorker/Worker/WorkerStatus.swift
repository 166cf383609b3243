import BookstrackContract
import JSONRPC
import ProviderHTTP
import ServiceKit

/// How fit the worker is: without the host or a provider it still serves what it can (Services/README.md "When a process is down").
struct WorkerStatus: Sendable {
    let host: RPCClient
    let providers: [ProviderClient]
    let health: HealthReporter

    /// Looks at everything the worker needs, now.
    func readiness() -> ReadinessReport {
        reportHost()
        for provider in providers { report(provider.snapshot) }
        return health.readiness
    }

    /// To be called whenever the connection comes or goes.
    func reportHost() {
        if host.isConnected {
            health.report("progress-host", .ready, reason: "connected")
        } else {
            health.report("progress-host", .degraded, reason: "no connection; finished items are kept")
        }
    }

    private func report(_ snapshot: ProviderSnapshot) {
        let reason: String? =
            if snapshot.budget.leftToday == 0 {
                "the day's budget is used up"
            } else {
                switch snapshot.breaker {
                case .closed: nil
                case .open(_, .refusal(let refusal)), .halfOpen(.refusal(let refusal)):
                    "it \(refusal.statement); correct \(refusal.setting)"
                case .open, .halfOpen: "the circuit breaker is open"
                }
            }
        health.report(snapshot.provider, reason == nil ? .ready : .degraded, reason: reason ?? "answers")
    }
}
