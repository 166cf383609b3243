import BookstrackContract
import JSONRPC
import ServiceKit
import SuiteMethods

/// How fit the proxy is: degraded without the worker, unavailable without progress-host or its storage (spec/07 "Readiness").
struct Readiness: Sendable {
    let host: RPCClient
    let worker: RPCClient
    let health: HealthReporter

    /// Asks both peers and reports what they mean for this process.
    func report() async -> ReadinessReport {
        async let host = state(of: host)
        async let worker = state(of: worker)
        let (hostState, workerState) = await (host, worker)
        health.report(
            ServiceName.progressHost.rawValue, hostState.serves ? .ready : .unavailable, reason: hostState.reason)
        health.report(
            ServiceName.enrichmentWorker.rawValue, workerState.serves ? .ready : .degraded, reason: workerState.reason)
        return health.readiness
    }

    private func state(of peer: RPCClient) async -> (serves: Bool, reason: String) {
        do {
            let report = try await peer.call(HealthCheck.self, Nothing()).readiness
            guard report.status == .unavailable else { return (true, "connected") }
            let reasons = report.dependencies?.filter { $0.status == .unavailable }.map { "\($0.name): \($0.reason)" }
            return (false, reasons?.joined(separator: "; ") ?? "it is unavailable")
        } catch {
            return (false, error == .notConnected ? "not connected" : "it does not answer: \(error)")
        }
    }
}
