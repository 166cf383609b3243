import BookMetadata
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability
import ProviderClient
import SuiteMethods
import Testing
import TestSupport
@testable import EnrichmentWorker

@Suite("The provider cache", .timeLimit(.minutes(1)))
struct ProviderCacheTests: ProviderCacheSuite {
    let rig: ProviderCacheRig

    init() throws { rig = try ProviderCacheRig() }

    @Test("answers survive a restart, and their records are unchanged")
    func survival() async throws {
        let cache = try rig.open()
        cache.store([.edition(isbn): edition(), .volumes(isbn): .none])
        try await cache.close()
        let reopened = try rig.open()
        let answers = await reopened.answers(to: [.edition(isbn), .volumes(isbn), .workFacts(isbn)])
        #expect(answers[.edition(isbn)]?.records == edition())
        #expect(answers[.volumes(isbn)]?.records == ProviderRecords.none)
        #expect(answers[.workFacts(isbn)] == nil)
        #expect(answers.covers(.workFacts(isbn)))
        #expect(!answers.covers(.editionKey("OL1M")))
        try await reopened.close()
    }

    @Test("an answer stored while the clock was a day ahead counts as expired, and one stored a minute ahead does not")
    func clockSetBack() async throws {
        let cache = try rig.open()
        let json = ByteBuffer(string: "{}")
        for (ahead, isFresh) in [(60.0, true), (86_400, false)] {
            rig.pass(ahead)
            cache.store([.edition(isbn): edition()])
            await cache.flush()
            await cache.keep(json, as: "photo", for: .seconds(600))
            rig.pass(-ahead)
            #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)]?.isFresh == isFresh)
            #expect(await cache.kept("photo") == (isFresh ? json : nil))
        }
        try await cache.close()
    }

    @Test(
        "an answer of \"none\" is fresh for five minutes and a book for a week, and expired answers are kept for outages"
    )
    func lives() async throws {
        let cache = try rig.open()
        cache.store([.edition(isbn): edition(), .volumes(isbn): .none])
        await cache.flush()
        rig.pass(299)
        var answers = await cache.answers(to: [.edition(isbn), .volumes(isbn)])
        #expect(answers[.volumes(isbn)]?.isFresh == true)
        rig.pass(2)
        answers = await cache.answers(to: [.edition(isbn), .volumes(isbn)])
        #expect(answers[.volumes(isbn)]?.isFresh == false)
        #expect(answers[.edition(isbn)]?.isFresh == true)
        rig.pass(7 * 86_400)
        answers = await cache.answers(to: [.edition(isbn)])
        #expect(answers[.edition(isbn)]?.isFresh == false)
        #expect(answers[.edition(isbn)]?.records == edition())
        try await cache.close()
    }

    @Test("a new answer can be read before it is written to disk, and an answer with a TTL of zero is not stored")
    func unwritten() async throws {
        let cache = try rig.open()
        cache.store([.edition(isbn): edition()])
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)]?.isFresh == true)
        try await cache.close()
        let forgetful = try ProviderCache(
            path: rig.path + "-2", ttl: CacheTTL(book: .zero, search: .zero, author: .zero, negative: .zero),
            limit: 1 << 20, metrics: WorkerMetrics(MetricRegistry()),
            logger: Logger(label: "cache") { _ in SwiftLogNoOpLogHandler() })
        forgetful.store([.edition(isbn): edition(), .volumes(isbn): .none])
        #expect(await forgetful.answers(to: [.edition(isbn)])[.edition(isbn)] == nil)
        await forgetful.flush()
        #expect(try await forgetful.statistics().entries == 0)
        try await forgetful.close()
    }

    @Test("a flush does not wait for answers that are stored after it has begun")
    func flush() async throws {
        let storing = NIOLockedValueBox<(cache: ProviderCache?, left: Int)>((nil, 20))
        // The date is read before each write, so another answer arrives while the previous one is being written.
        let clock = ObservedClock(clock: rig.clock) {
            let cache = storing.withLockedValue { storing in
                storing.left -= 1
                return storing.left > 0 ? storing.cache : nil
            }
            cache?.store([.volumes(isbn): .none])
        }
        let cache = try rig.open(clock: clock)
        storing.withLockedValue { $0.cache = cache }
        cache.store([.edition(isbn): edition()])
        await cache.flush()
        #expect(storing.withLockedValue { $0.left } > 0)
        #expect(try await cache.statistics().entries >= 1)
        storing.withLockedValue { $0.cache = nil }
        try await cache.close()
    }

    @Test("rich records have twice the normal TTL, and poor records half of it")
    func quality() {
        let ttl = CacheTTL()
        var rich = edition()
        rich.editions[0].pageCount = 500
        rich.editions[0].publisher = "Ace"
        rich.editions[0].subjects = ["Science Fiction"]
        rich.editions[0].description = String(repeating: "A planet of sand. ", count: 5)
        rich.editions[0].authors = [AuthorCredit(name: "Frank Herbert")].compactMap(\.self)
        #expect(ttl.ttl(of: rich, to: .edition(isbn)) == .seconds(14 * 86_400))
        #expect(ttl.ttl(of: edition(), to: .edition(isbn)) == .seconds(7 * 86_400))
        #expect(ttl.ttl(of: edition(title: nil), to: .edition(isbn)) == .seconds(7 * 43_200))
        let search = TitleTerms(title: "Dune", author: nil).map { ttl.ttl(of: edition(), to: .works($0)) }
        #expect(search == .seconds(6 * 3_600))
    }

    @Test("an engine's answer is read even if its use cannot be written, which is logged as a fault in writing")
    func keptWithoutWriting() async throws {
        let cache = try rig.open()
        let json = ByteBuffer(string: "{}")
        await cache.keep(json, as: "photo", for: .seconds(600))
        try await cache.pool.write { db in
            try db.execute(
                sql: "CREATE TRIGGER refusal BEFORE UPDATE ON answer BEGIN SELECT RAISE(ABORT, 'no space'); END")
        }
        #expect(await cache.kept("photo") == json)
        await cache.flush()
        #expect(rig.log.texts(at: .error) == ["the cache cannot be written"])
        try await cache.close()
    }

    @Test("reading an engine's answer stores when it was last used")
    func keptUse() async throws {
        let cache = try rig.open()
        await cache.keep(ByteBuffer(string: "{}"), as: "photo", for: .seconds(600))
        rig.pass(60)
        _ = await cache.kept("photo")
        await cache.flush()
        let used = try await cache.pool.read { try Int.fetchOne($0, sql: "SELECT used_at FROM answer") }
        #expect(used == Int(rig.clock.date.timeIntervalSince1970))
        try await cache.close()
    }

    @Test("requests are counted per day, and each day starts at zero")
    func budgets() async throws {
        let cache = try rig.open()
        for (day, count, used) in [("2025-11-15", 2, 2), ("2025-11-15", 1, 3), ("2025-11-15", -1, 2)] {
            #expect(try await cache.add(count, on: day, provider: "google-books") == DailyUsage(day: day, used: used))
        }
        let late = try await cache.add(9, on: "2025-11-14", provider: "google-books")
        #expect(late == DailyUsage(day: "2025-11-15", used: 2))
        let next = DailyUsage(day: "2025-11-16", used: 1)
        #expect(try await cache.add(1, on: "2025-11-16", provider: "google-books") == next)
        #expect(try await cache.usage(provider: "google-books") == next)
        // These requests are counted while the clock is a year ahead.
        _ = try await cache.add(5, on: "2026-11-16", provider: "isbndb")
        let after = DailyUsage(day: "2025-11-17", used: 1)
        #expect(try await cache.add(1, on: "2025-11-17", provider: "isbndb") == after)
        #expect(try await cache.usage(provider: "openlibrary") == nil)
        try await cache.close()
    }
}

/// A clock that calls a closure whenever its date is read.
private struct ObservedClock: SuiteClock {
    let clock: ManualClock
    let dateIsRead: @Sendable () -> Void

    var uptime: Duration { clock.uptime }

    var date: Date {
        dateIsRead()
        return clock.date
    }

    func sleep(until uptime: Duration) async throws { try await clock.sleep(until: uptime) }
}
