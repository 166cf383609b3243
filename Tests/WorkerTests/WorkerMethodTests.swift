import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import Logging
import NIOPosix
import ProviderClient
import ServiceKit
import SuiteMethods
import TestSupport
import Testing
import Transfer
@testable import EnrichmentWorker

@Suite("Worker methods", .timeLimit(.minutes(1)))
struct MethodRegistrationTests {
    @Test("the worker handles exactly the methods that the method list assigns to it")
    func names() async throws {
        try await WorkerRig.run { rig in
            let notified = Worker.router(rig.worker.leased, rig.worker.readings, OpenSteps())
            let names = rig.methods().router().methodNames + notified.methodNames
            #expect(names.sorted() == MethodList.names(answeredBy: .enrichmentWorker))
        }
    }
}

extension WorkerRig {
    /// Calls a method over a socket, as another process does.
    fileprivate func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, maxBooks: Int = 100
    ) async throws -> Method.Result {
        let methods = methods(maxBooks: maxBooks)
        let logger = Logger(label: "client") { _ in SwiftLogNoOpLogHandler() }
        let path = directory + "/worker.sock"
        let server = try await RPCServer.bind(
            path: path, router: methods.router(), allowedUIDs: [getuid()],
            group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let client = RPCClient(
            path: path, router: RPCRouter(), group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let running = Task { await client.run() }
        let result: Result<Method.Result, any Error>
        do {
            try await client.waitUntilConnected(within: .seconds(30))
            result = .success(try await client.call(method, parameters))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        await running.value
        await server.shutdown()
        return try result.get()
    }
}

@Suite("The v1 method enrichBatch", .timeLimit(.minutes(1)))
struct EnrichBatchTests {
    private func call(_ workIds: [String], at rig: WorkerRig) async throws -> CreatedJob {
        let jobId = try #require(JobID("job-v1-01"))
        return try await rig.call(EnrichBatch.self, .init(jobId: jobId, workIds: workIds), maxBooks: 3)
    }

    @Test("enrichBatch starts a job on the host with the work identifiers as its items")
    func starts() async throws {
        try await WorkerRig.run { rig in
            await rig.host.claimed()
            let job = try await call(["9780441172719", "OL1W"], at: rig)
            #expect(job.jobId.text == "job-v1-01")
            #expect(job.totalCount == 2)
            let created = try #require(rig.host.created.first)
            #expect(created.items == [BookQuery(workId: "9780441172719"), BookQuery(workId: "OL1W")])
            #expect(created.digest == JobDigest.of(created.items))
            #expect(created.digest.count == 64)
        }
    }

    @Test(
        "enrichBatch rejects lists that are empty or too long, and entries with too many characters or bytes",
        arguments: [
            [], ["1", "2", "3", "4"], ["1", String(repeating: "x", count: 501)],
            ["a" + String(repeating: "\u{301}", count: 1_000)],
        ])
    func refuses(workIds: [String]) async throws {
        try await WorkerRig.run { rig in
            await rig.host.claimed()
            let error = await #expect(throws: RPCError.self) { try await call(workIds, at: rig) }
            #expect(error?.applicationCode == "INVALID_REQUEST")
            #expect(rig.host.created.isEmpty)
        }
    }

    @Test("enrichBatch reports that the service is unavailable while the host is down")
    func hostAway() async throws {
        try await WorkerRig.run { rig in
            await rig.host.claimed()
            await rig.host.stop()
            let error = await #expect(throws: RPCError.self) { try await call(["OL1W"], at: rig) }
            #expect(error?.applicationCode == "SERVICE_UNAVAILABLE")
        }
    }
}

@Suite("Methods that need the worker's cache", .timeLimit(.minutes(1)))
struct CacheMethodTests {
    private func refusal<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, at rig: WorkerRig
    ) async -> String? {
        await #expect(throws: RPCError.self) { try await rig.call(method, parameters) }?.applicationCode
    }

    @Test("while the database cannot be used, reports, the list of failing ISBNs and the cache are unavailable")
    func unusable() async throws {
        try await WorkerRig.run { rig in
            try await rig.cache.pool.write { try $0.execute(sql: "DROP TABLE isbn_history; DROP TABLE answer") }
            let unavailable = "SERVICE_UNAVAILABLE"
            #expect(await refusal(ReportMissingMetadata.self, .init(isbn: "9780441172719"), at: rig) == unavailable)
            #expect(await refusal(ReadFailingISBNs.self, .init(limit: 10), at: rig) == unavailable)
            #expect(await refusal(ReadCacheStatistics.self, Nothing(), at: rig) == unavailable)
            #expect(await refusal(PurgeCache.self, Nothing(), at: rig) == unavailable)
        }
    }

    @Test("the error of a method that needs the cache states why the cache cannot be used")
    func reason() async throws {
        try await WorkerRig.run { rig in
            try await rig.cache.pool.write { try $0.execute(sql: "DROP TABLE isbn_history") }
            let error = await #expect(throws: RPCError.self) {
                try await rig.call(ReadFailingISBNs.self, .init(limit: 10))
            }
            guard case .remote(_, let message, _) = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(message == "enrichment-worker cannot use its cache: no such table: isbn_history")
        }
    }
}

@Suite("Worker figures for operators", .timeLimit(.minutes(1)))
struct WorkerFigureTests {
    @Test("the figures cover queues, providers and the cache")
    func figures() async throws {
        try await WorkerRig.run(.init(googleBudget: 100)) { rig in
            let figures = try await rig.methods().figures.figures()
            #expect(figures.held == QueueFigure(length: 0, limit: 800))
            #expect(figures.outbox.length == 0)
            #expect(figures.waitingCallers == 0)
            #expect(figures.providers.map(\.name) == ["openlibrary", "google-books", "wikidata"])
            #expect(figures.providers.allSatisfy { $0.breaker == .closed && $0.cause == nil })
            #expect(figures.providers[1].leftToday == 100)
            #expect(figures.cache.bytes > 0)
            #expect(figures.cache.limit > 0)
        }
    }

    @Test("a probe reports the status of every provider")
    func probes() async throws {
        try await WorkerRig.run { rig in
            let probes = rig.methods().probes
            let reached = await probes.run()
            #expect(reached.map(\.provider) == ["openlibrary", "google-books", "wikidata"])
            #expect(reached.allSatisfy { $0.status != nil && $0.failure == nil })
        }
    }

    @Test("a probe distinguishes an unknown host name, a port with no listener, and an untrusted certificate")
    func connectionFaults() async throws {
        let network = try TLSAndProxy()
        let settings = try Settings.load(
            arguments: [
                "--open-library-base-url", "https://books.invalid", "--google-books-base-url", "http://127.0.0.1:1",
                "--wikidata-base-url", "https://127.0.0.1:\(network.places.tls)",
            ], environment: [:])
        try await WorkerRig.run { rig in
            let clients = try await ProviderClients(
                settings, budgets: rig.cache, clock: rig.clock,
                logger: Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() })
            let probes = await ProviderProbes(providers: clients.caller.clients).run()
            #expect(probes.map(\.cause) == ["dns", "unreachable", "tls"])
            await clients.engine.shutdown()
        }
        _ = try network.stop()
    }

    @Test(
        "operators read why a probe failed in words, without the codes of metrics",
        arguments: [
            TransferError.timedOut(.connect), .timedOut(.firstByte), .timedOut(.total), .privateAddress, .tooLarge,
            .saturated, .cancelled, .stopped,
        ])
    func probeFailures(error: TransferError) {
        #expect(error.words.contains(" "))
        #expect(!error.words.contains("_"))
    }

    @Test("a provider that refuses connections is reported with libcurl's reason")
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
            #expect(probes.count == 3)
            for probe in probes {
                #expect(probe.status == nil)
                #expect(probe.cause == "unreachable")
                #expect(probe.failure?.contains("connect to server)") == true)
            }
            await clients.engine.shutdown()
        }
    }
}
