import JSONRPC
import Logging
import ProviderHTTP
import ServiceKit
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("What operators see of the worker", .timeLimit(.minutes(1)))
struct WorkerFigureTests {
    @Test("queues, providers and the cache")
    func figures() async throws {
        try await WorkerRig.run(.init(googleBudget: 100)) { rig in
            let figures = try await rig.methods().figures.figures()
            #expect(figures.held == QueueFigure(length: 0, limit: 750))
            #expect(figures.outbox.length == 0 && figures.questions == 0)
            #expect(figures.providers.map(\.name) == ["openlibrary", "google-books", "wikidata"])
            #expect(figures.providers.allSatisfy { $0.breaker == .closed && $0.cause == nil })
            #expect(figures.providers[1].leftToday == 100)
            #expect(figures.cache.bytes > 0 && figures.cache.limit > 0)
        }
    }

    @Test("a probe asks every provider once")
    func probes() async throws {
        try await WorkerRig.run { rig in
            let probes = rig.methods().probes
            let reached = await probes.run()
            #expect(reached.map(\.provider) == ["openlibrary", "google-books", "wikidata"])
            #expect(reached.allSatisfy { $0.status != nil && $0.failure == nil })
        }
    }

    @Test("a provider that nobody listens for is told with libcurl's reason")
    func unreachable() async throws {
        let settings = try Settings.load(
            arguments: [
                "--open-library-base-url", "http://127.0.0.1:1/x", "--wikidata-base-url", "http://127.0.0.1:1",
            ],
            environment: ["BOOKSTRACK_GOOGLE_BOOKS_BASE_URL": "http://127.0.0.1:1"])
        try await WorkerRig.run { rig in
            let clients = try await ProviderClients(
                settings, budgets: rig.cache, clock: rig.clock,
                logger: Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() })
            let probes = await ProviderProbes(providers: clients.caller.clients).run()
            #expect(probes.map(\.address).first == "http://127.0.0.1:1/x")
            #expect(probes.allSatisfy { $0.status == nil && $0.failure?.isEmpty == false })
            await clients.engine.shutdown()
        }
    }
}
