import JSONRPC
import NIOConcurrencyHelpers
import Observability
import SuiteMethods

/// Collects the metrics of the whole suite: those of this process, and those of the others over the connections that it has anyway.
///
/// One collection runs at a time, and whoever asks meanwhile gets its outcome. A process that does not answer in time leaves its
/// readings out and is shown as down.
final class SuiteScrape: Sendable {
    /// How long the others may take; Prometheus itself gives up after 10 s unless told otherwise.
    static let peerLimit = Duration.seconds(1)

    private let registry: MetricRegistry
    private let host: RPCClient
    private let worker: RPCClient
    private let collection = NIOLockedValueBox(Task<String, Never>?.none)

    init(registry: MetricRegistry, host: RPCClient, worker: RPCClient) {
        self.registry = registry
        self.host = host
        self.worker = worker
    }

    /// Prometheus text.
    func text() async -> String {
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

    private func collect() async -> String {
        async let host = ask(host)
        async let worker = ask(worker)
        let answers = [(ServiceName.progressHost, await host), (.enrichmentWorker, await worker)]
        var table = FamilyTable()
        table.add([Self.up(true)] + registry.families(), of: ServiceName.apiProxy.rawValue)
        for (service, families) in answers {
            table.add([Self.up(families != nil)] + (families ?? []), of: service.rawValue)
        }
        return PrometheusText.write(table.families)
    }

    private func ask(_ peer: RPCClient) async -> [MetricFamily]? {
        try? await peer.call(ReadMetrics.self, Nothing(), deadline: Self.peerLimit).families
    }

    private static func up(_ answers: Bool) -> MetricFamily {
        MetricFamily(
            .gauge, "bookstrack_service_up", help: "Whether the process answered this scrape: 1 or 0.",
            value: answers ? 1 : 0)
    }
}
