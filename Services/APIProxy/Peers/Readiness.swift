import BookstrackContract
import HTTPTypes
import Hummingbird
import JSONRPC
import NIOConcurrencyHelpers
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// Readiness of the proxy: degraded if no worker is available, unavailable if progress-host or its storage is down (http-api.md "Readiness").
struct Readiness: Sendable {
    let host: RPCClient
    let workers: WorkerLinks
    let health: HealthReporter
    /// Numbers of the last round that was started and of the last round that was reported.
    private let rounds = NIOLockedValueBox((begun: 0, reported: 0))

    init(host: RPCClient, workers: WorkerLinks, health: HealthReporter) {
        self.host = host
        self.workers = workers
        self.health = health
    }

    /// Queries the peers, derives this process's readiness from their responses, and reports it unless a later call has already done so. If the task
    /// is cancelled, nothing is reported: the queries were cancelled with it, which says nothing about the peers.
    func report() async -> ReadinessReport {
        let round = rounds.withLockedValue { rounds in
            rounds.begun += 1
            return rounds.begun
        }
        async let host = state(of: host)
        async let worker = stateOfWorkers()
        let (hostState, workerState) = await (host, worker)
        return rounds.withLockedValue { rounds in
            guard round > rounds.reported, !Task.isCancelled else { return health.readiness }
            rounds.reported = round
            health.report(
                ServiceName.progressHost.rawValue, hostState.serves ? .ready : .unavailable, reason: hostState.reason)
            health.report(
                ServiceName.enrichmentWorker.rawValue, workerState.serves ? .ready : .degraded,
                reason: workerState.reason)
            return health.readiness
        }
    }

    /// The state of all workers. One working worker is enough, but problems of the others are still reported.
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
            let troubles = report.troubles
            guard report.status == .unavailable else {
                return (true, (["connected"] + troubles).joined(separator: "; "))
            }
            return (false, troubles.isEmpty ? "it is unavailable" : troubles.joined(separator: "; "))
        } catch {
            return (false, error == .notConnected ? "not connected" : "no response: \(error)")
        }
    }
}

/// Checks the peers at intervals, so that the log and the service manager report a change even if no client requests the readiness.
struct ReadinessWatch: Service {
    /// Interval between checks, the same as the ping interval (http-api.md "Readiness").
    private static let interval = Duration.seconds(2)

    let readiness: Readiness

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.interval)
                _ = await readiness.report()
            }
        }
    }
}

/// `/health*` of both listeners; not enveloped (http-api.md "Envelope").
struct HealthRoutes: Sendable {
    let readiness: Readiness
    /// The routes that `/health` lists.
    let endpoints: [String]
    /// Whether `/health/ready` lists the dependencies with their states and reasons; only the admin listener does.
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
