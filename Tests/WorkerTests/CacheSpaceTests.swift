import BookIdentifiers
import BookMetadata
import GRDB
import Logging
import ProviderClient
import SuiteMethods
import Testing
import TestSupport
@testable import EnrichmentWorker

@Suite("Disk space of the provider cache", .timeLimit(.minutes(1)))
struct CacheSpaceTests: ProviderCacheSuite {
    let rig: ProviderCacheRig

    init() throws { rig = try ProviderCacheRig() }

    @Test("if the cache exceeds its maximum size, the least recently used answers are evicted")
    func eviction() async throws {
        let cache = try rig.open(limit: 200_000)
        let first = try #require(ISBN(EmulatedProviders.isbns(0..<1)[0]))
        for index in 0..<400 {
            let isbn = try #require(ISBN(EmulatedProviders.isbns(index..<index + 1)[0]))
            var records = edition()
            records.editions[0].description = String(repeating: "x", count: 2_000)
            cache.store([.edition(isbn): records])
            await cache.flush()
            rig.pass(3_601)
            if index.isMultiple(of: 20) {
                _ = await cache.answers(to: [.edition(first)])
                await cache.flush()
            }
        }
        let count = try await cache.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM answer") ?? 0 }
        #expect((10..<100).contains(count))
        #expect(await cache.answers(to: [.edition(first)])[.edition(first)] != nil)
        try await cache.close()
    }

    @Test("answers that were last used before the clock was set back are evicted before all others")
    func evictionAfterClockChange() async throws {
        let cache = try rig.open(limit: 200_000)
        let questions = try EmulatedProviders.isbns(0..<50).map { Question.edition(try #require(ISBN($0))) }
        var records = edition()
        records.editions[0].description = String(repeating: "x", count: 2_000)
        rig.pass(30 * 86_400)
        for (index, question) in questions.enumerated() {
            if index == 30 { rig.pass(-30 * 86_400) }
            cache.store([question: records])
            await cache.flush()
            rig.pass(1)
        }
        let answers = await cache.answers(to: questions)
        let kept = questions.map { answers[$0] != nil }
        #expect(kept.suffix(20).allSatisfy { $0 })
        #expect(!kept.prefix(30).allSatisfy { $0 })
        try await cache.close()
    }

    @Test("on a full disk, a purge still removes the answers and keeps the budgets' usage")
    func purgeOnFullDisk() async throws {
        let cache = try rig.open()
        let usage = DailyUsage(day: "2025-11-15", used: 7)
        _ = try await cache.add(usage.used, on: usage.day, provider: "google-books")
        cache.store([.edition(isbn): edition(), .volumes(isbn): .none])
        await cache.flush()
        // Like every deletion on a full disk, this one needs more space than is left.
        try await cache.pool.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER full_disk AFTER DELETE ON answer
                    BEGIN INSERT INTO meta(key, value) VALUES ('room', zeroblob(1 << 20)); END
                    """)
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
        }
        #expect(try await cache.purge() == 2)
        #expect(try await cache.statistics().entries == 0)
        #expect(try await cache.usage(provider: "google-books") == usage)
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] == nil)
        cache.store([.edition(isbn): edition()])
        await cache.flush()
        #expect(try await cache.statistics().entries == 1)
        try await cache.close()
    }

    @Test("on a full disk, nothing new is stored, and the log reports when this starts and ends")
    func fullDisk() async throws {
        let cache = try rig.open()
        try await setPageLimit("1", of: cache.pool)
        for _ in 1...3 {
            var long = edition()
            long.editions[0].description = String(repeating: "x", count: 100_000)
            cache.store([.edition(isbn): long])
            await cache.flush()
        }
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] == nil)
        #expect(rig.log.texts(at: .error) == ["the cache cannot be written"])
        try await setPageLimit("4294967294", of: cache.pool)
        for _ in 1...3 {
            cache.store([.edition(isbn): edition()])
            await cache.flush()
        }
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] != nil)
        #expect(rig.log.texts(at: .notice) == ["the cache can be written again"])
        try await cache.close()
    }

    /// Limits the size of the database, as a disk does (sqlite.org/pragma.html#pragma_max_page_count: never to less than is in use).
    private func setPageLimit(_ limit: String, of pool: DatabasePool) async throws {
        _ = try await pool.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(limit)") }
    }
}
