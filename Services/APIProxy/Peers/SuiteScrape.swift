import HTTPTypes
import Hummingbird
import JSONRPC
import NIOConcurrencyHelpers
import Observability
import SuiteMethods

/// Collects the metrics of the whole suite: those of this process and, over the existing connections, those of the others.
///
/// One collection runs at a time; requests that arrive in the meantime share its outcome. A process that does not respond in time is shown as down,
/// without its metrics.
final class SuiteScrape: Sendable {
    /// Timeout for the other processes; Prometheus's own default is 10 s.
    static let peerLimit = Duration.seconds(1)

    private let registry: MetricRegistry
    private let host: RPCClient
    private let workers: WorkerLinks
    private let peerLimit: Duration
    private let collection = NIOLockedValueBox(Task<FamilyTable, Never>?.none)

    init(registry: MetricRegistry, host: RPCClient, workers: WorkerLinks, peerLimit: Duration) {
        self.peerLimit = peerLimit
        self.registry = registry
        self.host = host
        self.workers = workers
    }

    /// The metrics in the Prometheus text format.
    func text() async -> String { PrometheusText.write(await table().families) }

    /// The metrics of the processes that respond, labeled by process, and for each process whether it responded.
    func table() async -> FamilyTable {
        let task = collection.withLockedValue { running in
            if let running { return running }
            let task = Task {
                defer { collection.withLockedValue { $0 = nil } }
                return await collect()
            }
            running = task
            return task
        }
        return await task.value
    }

    private func collect() async -> FamilyTable {
        let peers = [(ServiceInstance.progressHost, host)] + workers.links.map { ($0.instance, $0.client) }
        let answers = await withTaskGroup { group in
            for (place, peer) in peers.enumerated() { group.addTask { (place, await self.ask(peer.1)) } }
            var answers = [[MetricFamily]?](repeating: nil, count: peers.count)
            for await (place, families) in group { answers[place] = families }
            return answers
        }
        var table = FamilyTable()
        table.add([Self.up(true)] + registry.families(), labels: Self.labels(of: .apiProxy))
        for ((instance, _), families) in zip(peers, answers) {
            table.add([Self.up(families != nil)] + (families ?? []), labels: Self.labels(of: instance))
        }
        return table
    }

    /// The labels of a process's metrics; those of a worker include its name, to distinguish several workers.
    private static func labels(of instance: ServiceInstance) -> [Sample.Label] {
        [Sample.Label("service", instance.service.rawValue)]
            + (instance.worker.map { [Sample.Label("worker", $0.text)] } ?? [])
    }

    private func ask(_ peer: RPCClient) async -> [MetricFamily]? {
        try? await peer.call(ReadMetrics.self, Nothing(), deadline: peerLimit).families
    }

    private static func up(_ answers: Bool) -> MetricFamily {
        MetricFamily(
            .gauge, "bookstrack_service_up", help: "Whether the process responded to this scrape: 1 or 0.",
            value: answers ? 1 : 0)
    }
}

/// `/metrics` of the admin listener, for Prometheus; not enveloped (http-api.md "Envelope").
struct MetricsRoutes: Sendable {
    let scrape: SuiteScrape

    var routes: [Route] {
        [
            Route(.get, "/metrics", limit: .exempt) { _, _ in
                Response(
                    status: .ok, headers: [.contentType: PrometheusText.contentType],
                    body: .init(byteBuffer: ByteBuffer(string: await scrape.text())))
            }
        ]
    }
}
