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
            let lacks = (report.dependencies ?? []).filter { $0.status != .ready }.map { "\($0.name): \($0.reason)" }
            let reason = lacks.isEmpty ? nil : lacks.joined(separator: "; ")
            guard report.status == .unavailable else { return (true, reason.map { "connected; \($0)" } ?? "connected") }
            return (false, reason ?? "it is unavailable")
        } catch {
            return (false, error == .notConnected ? "not connected" : "it does not answer: \(error)")
        }
    }
}
