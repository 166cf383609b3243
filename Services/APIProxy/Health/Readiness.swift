import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import ServiceKit
import SuiteMethods

/// How fit the proxy is: degraded without a worker, unavailable without progress-host or its storage (http-api.md "Readiness").
struct Readiness: Sendable {
    let host: RPCClient
    let workers: WorkerLinks
    let health: HealthReporter
    /// Counts the rounds: the last that was begun, and the last that was reported.
    private let rounds = NIOLockedValueBox((begun: 0, reported: 0))

    init(host: RPCClient, workers: WorkerLinks, health: HealthReporter) {
        self.host = host
        self.workers = workers
        self.health = health
    }

    /// Asks both peers and reports what they mean for this process, unless a later call has reported already.
    func report() async -> ReadinessReport {
        let round = rounds.withLockedValue { rounds in
            rounds.begun += 1
            return rounds.begun
        }
        async let host = state(of: host)
        async let worker = stateOfWorkers()
        let (hostState, workerState) = await (host, worker)
        return rounds.withLockedValue { rounds in
            guard round > rounds.reported else { return health.readiness }
            rounds.reported = round
            health.report(
                ServiceName.progressHost.rawValue, hostState.serves ? .ready : .unavailable, reason: hostState.reason)
            health.report(
                ServiceName.enrichmentWorker.rawValue, workerState.serves ? .ready : .degraded,
                reason: workerState.reason)
            return health.readiness
        }
    }

    /// One worker is enough; what is wrong with the others is told.
    private func stateOfWorkers() async -> (serves: Bool, reason: String) {
        let states = await withTaskGroup { group in
            for link in workers.links { group.addTask { (link.instance, await self.state(of: link.client)) } }
            var states: [(instance: ServiceInstance, state: (serves: Bool, reason: String))] = []
            for await state in group { states.append(state) }
            return states.sorted { $0.instance.name < $1.instance.name }
        }
        let serves = states.contains { $0.state.serves }
        guard states.count > 1 else { return states.first?.state ?? (false, "not connected") }
        return (serves, states.map { "\($0.instance.name): \($0.state.reason)" }.joined(separator: "; "))
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
