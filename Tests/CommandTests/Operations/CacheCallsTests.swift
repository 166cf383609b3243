import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import ServiceKit
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("The services' caches")
struct CacheCallsTests {
    private static let use = ReadCacheStatistics.Result(
        entries: 51, bytes: 106_496, limit: 256 << 20, hits: 3, staleHits: 1, misses: 12)

    /// Listens on the sockets of `services` in a temporary directory while `body` runs.
    private func with<Value>(
        _ services: [ServiceInstance], onPurge: @escaping @Sendable (ServiceInstance) -> Void = { _ in },
        _ body: (CacheCalls) async throws -> Value
    ) async throws -> Value {
        let folder = "/tmp/bt-cache-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let settings = try Settings.load(
            arguments: [], environment: ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder])
        let directories = try SuiteDirectories(settings)
        var servers: [RPCServer] = []
        for service in services {
            var router = RPCRouter()
            router.handle(ReadCacheStatistics.self) { _, _ in Self.use }
            router.handle(PurgeCache.self) { _, _ in
                onPurge(service)
                return PurgeCache.Result(removed: 1)
            }
            servers.append(
                try await RPCServer.bind(
                    path: directories.socket(of: service), router: router, allowedUIDs: [getuid()],
                    group: MultiThreadedEventLoopGroup.singleton,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        }
        let value = try await body(CacheCalls(directories: directories))
        for server in servers { await server.shutdown() }
        return value
    }

    @Test("the statistics have one row per process")
    func statistics() async throws {
        let outcomes = try await with([.apiProxy, .enrichmentWorker]) { await $0.statistics() }
        #expect(outcomes.status == .success)
        #expect(CacheText.failures(outcomes).isEmpty)
        #expect(
            CacheText.table(outcomes).lines(width: 80).joined(separator: "\n") == """
                Process            Entries     Size    Limit  Hits  Stale  Misses  Hit rate
                -----------------  -------  -------  -------  ----  -----  ------  --------
                enrichment-worker       51  104 KiB  256 MiB     3      1      12      25 %
                api-proxy               51  104 KiB  256 MiB     3      1      12      25 %
                """)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(OutputOptions.json(CacheText.rows(outcomes)).utf8))
                as? [[String: Any]])
        #expect(rows.map { $0["process"] as? String } == ["enrichment-worker", "api-proxy"])
        #expect(rows[0]["bytes"] as? Int == 106_496)
        #expect(rows[0]["hitRate"] as? Double == 0.25)
    }

    @Test("a process that is not running is reported, and the other process is still shown")
    func oneMissing() async throws {
        let (outcomes, purged) = try await with([.apiProxy]) { (await $0.statistics(), await $0.purge()) }
        #expect(outcomes.status == .success)
        #expect(CacheText.rows(outcomes).map(\.process) == ["api-proxy"])
        #expect(
            CacheText.failures(outcomes).hasPrefix("bookstrack: enrichment-worker does not answer at /tmp/bt-cache-"))
        #expect(purged.status == .incomplete)
        #expect(CacheText.lines(purged) == "api-proxy: 1 entry removed\n")
    }

    @Test("if neither process is running, both are reported and the exit status is unavailable")
    func noneRuns() async throws {
        let (outcomes, purged) = try await with([]) { (await $0.statistics(), await $0.purge()) }
        #expect(outcomes.status == .unavailable)
        #expect(purged.status == .unavailable)
        #expect(CacheText.rows(outcomes).isEmpty)
        #expect(CacheText.failures(purged).split(separator: "\n").count == 2)
    }

    @Test("a purge empties the worker's cache first, and reports how many entries it removed")
    func purge() async throws {
        let order = NIOLockedValueBox<[ServiceInstance]>([])
        let purged = try await with(
            [.apiProxy, .enrichmentWorker], onPurge: { name in order.withLockedValue { $0.append(name) } }
        ) { await $0.purge() }
        #expect(order.withLockedValue { $0 } == [.enrichmentWorker, .apiProxy])
        #expect(purged.status == .success)
        #expect(CacheText.lines(purged) == "enrichment-worker: 1 entry removed\napi-proxy: 1 entry removed\n")
    }

    @Test("a purge reaches every worker and lists each one by name")
    func severalWorkers() async throws {
        let second = ServiceInstance.worker(WorkerName("second")!)
        let purged = try await with([.apiProxy, .enrichmentWorker, second]) { await $0.purge() }
        #expect(
            CacheText.lines(purged) == """
                enrichment-worker: 1 entry removed
                enrichment-worker-second: 1 entry removed
                api-proxy: 1 entry removed

                """)
    }

    @Test("there is no hit rate before the first lookup")
    func unused() throws {
        let unused = ReadCacheStatistics.Result(entries: 0, bytes: 0, limit: 1, hits: 0, staleHits: 0, misses: 0)
        let outcomes = [CacheCalls.Outcome(tier: .finishedAnswers, process: .apiProxy, answer: .success(unused))]
        #expect(!(try OutputOptions.json(CacheText.rows(outcomes))).contains("hitRate"))
        #expect(CacheText.table(outcomes).lines(width: 120).last?.contains("  -  ") == true)
    }
}
