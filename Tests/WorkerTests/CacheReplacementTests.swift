import BookMetadata
import BookstrackContract
import Dispatch
import Foundation
import GRDB
import Logging
import Observability
import ServiceKit
import SuiteStorage
import Testing
import TestSupport
@testable import EnrichmentWorker

@Suite("Opening and replacing the provider cache", .timeLimit(.minutes(1)))
struct CacheReplacementTests: ProviderCacheSuite {
    let rig: ProviderCacheRig

    init() throws { rig = try ProviderCacheRig() }

    @Test(
        "a cache from a later version of the program is kept if this version can read it, and otherwise moved aside",
        arguments: [CacheSchema.version + 1, CacheSchema.version])
    func laterProgram(minReader: Int) async throws {
        let cache = try rig.open()
        cache.store([.edition(isbn): edition()])
        await cache.flush()
        try await cache.pool.write { db in
            try db.execute(sql: "UPDATE meta SET value = ? WHERE key = 'min_reader'", arguments: [minReader])
            try db.execute(sql: "PRAGMA user_version = 7")
        }
        try await cache.close()
        let reopened = try rig.open()
        let isKept = await reopened.answers(to: [.edition(isbn)])[.edition(isbn)] != nil
        #expect(isKept == (minReader <= CacheSchema.version))
        #expect(FileManager.default.fileExists(atPath: rig.path + ".unreadable") == !isKept)
        try await reopened.close()
    }

    @Test("a cache that is damaged while it is open is replaced")
    func damage() async throws {
        let cache = try rig.open()
        let pool = cache.pool
        for _ in 1...2 { cache.failed(DatabaseError(resultCode: .SQLITE_CORRUPT), .read, at: pool) }
        cache.store([.edition(isbn): edition()])
        await cache.flush()
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] != nil)
        #expect(FileManager.default.fileExists(atPath: rig.path + ".unreadable"))
        cache.failed(DatabaseError(resultCode: .SQLITE_CORRUPT), .written, at: pool)
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] != nil)
        try await cache.close()
    }

    @Test("a cache whose file was replaced is opened again while the old file is still being read")
    func replacedDuringRead() async throws {
        let cache = try rig.open()
        let old = cache.pool
        let (reads, begin) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let reading = Task {
            try await old.read { _ in
                begin.finish()
                end.wait()
            }
        }
        for await _ in reads {}
        try FileManager.default.moveItem(atPath: rig.path, toPath: rig.path + ".old")
        cache.store([.edition(isbn): edition()])
        await cache.flush()
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] != nil)
        #expect(cache.pool !== old)
        end.signal()
        try await reading.value
        try await cache.close()
    }

    @Test("while the cache cannot be reopened, the previous file is used; the start and end are logged")
    func notReopened() async throws {
        let cache = try rig.open()
        cache.store([.edition(isbn): edition()])
        await cache.flush()
        try FileManager.default.moveItem(atPath: rig.path, toPath: rig.path + ".old")
        try FileManager.default.createDirectory(atPath: rig.path, withIntermediateDirectories: false)
        for _ in 1...3 {
            #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        }
        #expect(rig.log.texts(at: .error) == ["the cache cannot be opened"])
        try FileManager.default.removeItem(atPath: rig.path)
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] == nil)
        #expect(rig.log.texts(at: .notice) == ["the cache can be opened again"])
        try await cache.close()
    }

    @Test("a cache that could be closed but not emptied is opened again at its next use")
    func notRecreated() async throws {
        let cache = try rig.open()
        cache.store([.edition(isbn): edition()])
        await cache.flush()
        try FileManager.default.moveItem(atPath: rig.path, toPath: rig.path + ".old")
        try FileManager.default.createDirectory(atPath: rig.path, withIntermediateDirectories: false)
        await #expect(throws: DatabaseError.self) { _ = try await cache.recreate(cache.pool) }
        try FileManager.default.removeItem(atPath: rig.path)
        try FileManager.default.moveItem(atPath: rig.path + ".old", toPath: rig.path)
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        try await cache.close()
    }

    @Test("a database that has been replaced is not removed again, neither by this worker nor by another")
    func recreatedOnce() async throws {
        let cache = try rig.open()
        let (pool, second) = (cache.pool, try rig.open())
        let secondPool = second.pool
        #expect(try await cache.recreate(pool))
        #expect(try await !cache.recreate(pool))
        #expect(try await !second.recreate(secondPool))
        try await cache.close()
        try await second.close()
    }

    @Test("while storage refuses the cache, the worker tries every second to open it, and logs the reason once")
    func refusedAtStart() async throws {
        let clock = ManualClock()
        let health = HealthReporter(logger: rig.log.logger)
        let directory = rig.directory + "/unmounted"
        let opening = Task {
            try await ProviderCache.opened(clock: clock, health: health, logger: rig.log.logger) {
                try ProviderCache(
                    path: directory + "/cache.sqlite", ttl: CacheTTL(), limit: 64 << 20,
                    metrics: WorkerMetrics(MetricRegistry()), logger: rig.log.logger)
            }
        }
        for _ in 0..<3 {
            await clock.sleeperArrives()
            #expect(health.readiness.status == .unavailable)
            clock.move(by: .seconds(1))
        }
        await clock.sleeperArrives()
        #expect(rig.log.texts(at: .error) == ["the cache cannot be opened; retrying"])
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        clock.move(by: .seconds(1))
        try await opening.value.close()
        #expect(health.readiness.status == .ready)
    }

    @Test("an error that waiting cannot resolve is thrown at the first attempt to open the cache")
    func notRefused() async throws {
        await #expect(throws: CocoaError.self) {
            try await ProviderCache.opened(
                clock: ManualClock(), health: HealthReporter(logger: rig.log.logger), logger: rig.log.logger
            ) { throw CocoaError(.fileWriteUnknown) }
        }
    }
}
