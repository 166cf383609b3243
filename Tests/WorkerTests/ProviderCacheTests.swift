import BookIdentifiers
import BookMetadata
import BookstrackContract
import Dispatch
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods
import SuiteStorage
import Testing
import TestSupport
@testable import EnrichmentWorker

@Suite("The provider cache", .timeLimit(.minutes(1)))
struct ProviderCacheTests {
    /// A cache in its own directory, with a clock that the test advances.
    private struct Rig: Sendable {
        let directory: String
        let time = NIOLockedValueBox(Date(timeIntervalSince1970: 1_700_000_000))

        init() throws { directory = try WorkerRig.temporaryDirectory() }

        var path: String { directory + "/cache.sqlite" }

        let log = RecordingLog()

        /// - Parameter now: The clock; by default, the one that the test advances.
        func open(limit: Int = 64 << 20, now: (@Sendable () -> Date)? = nil) throws -> ProviderCache {
            try ProviderCache(
                path: path, ttl: CacheTTL(), limit: limit, now: now ?? { time.withLockedValue { $0 } },
                metrics: WorkerMetrics(MetricRegistry()), logger: log.logger)
        }

        func pass(_ seconds: Double) { time.withLockedValue { $0 += seconds } }
    }

    private let rig: Rig
    private let isbn: ISBN

    init() throws {
        rig = try Rig()
        isbn = try #require(ISBN("9780441172719"))
    }

    private func edition(title: String? = "Dune") -> ProviderRecords {
        var edition = EditionRecord(provider: .openLibrary)
        edition.title = title
        edition.isbns = [isbn]
        return ProviderRecords(editions: [edition])
    }

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
        let cache = try rig.open {
            // The time is read before each write, so another answer arrives while the previous one is being written.
            let cache = storing.withLockedValue { storing in
                storing.left -= 1
                return storing.left > 0 ? storing.cache : nil
            }
            cache?.store([.volumes(isbn): .none])
            return rig.time.withLockedValue { $0 }
        }
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
        #expect(rig.log.texts(at: .notice) == ["the cache is opened again"])
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
        try await setPageLimit("1", of: cache)
        for _ in 1...3 {
            var long = edition()
            long.editions[0].description = String(repeating: "x", count: 100_000)
            cache.store([.edition(isbn): long])
            await cache.flush()
        }
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] == nil)
        #expect(rig.log.texts(at: .error) == ["the cache cannot be written"])
        try await setPageLimit("4294967294", of: cache)
        for _ in 1...3 {
            cache.store([.edition(isbn): edition()])
            await cache.flush()
        }
        #expect(await cache.answers(to: [.edition(isbn)])[.edition(isbn)] != nil)
        #expect(rig.log.texts(at: .notice) == ["the cache is written again"])
        try await cache.close()
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
        #expect(used == 1_700_000_060)
        try await cache.close()
    }

    /// Limits the size of the database, as a disk does (sqlite.org/pragma.html#pragma_max_page_count: never to less than is in use).
    private func setPageLimit(_ limit: String, of cache: ProviderCache) async throws {
        _ = try await cache.pool.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(limit)") }
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
        // Counted while the clock was a year ahead.
        _ = try await cache.add(5, on: "2026-11-16", provider: "isbndb")
        let after = DailyUsage(day: "2025-11-17", used: 1)
        #expect(try await cache.add(1, on: "2025-11-17", provider: "isbndb") == after)
        #expect(try await cache.usage(provider: "openlibrary") == nil)
        try await cache.close()
    }

    // MARK: Several workers

    @Test("another worker with the same data directory finds stored answers, and a purge removes them for both")
    func sharedAnswers() async throws {
        let first = try rig.open(), second = try rig.open()
        first.store([.edition(isbn): edition()])
        await first.flush()
        #expect(await second.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        #expect(try await second.purge() == 1)
        #expect(await first.answers(to: [.edition(isbn)])[.edition(isbn)] == nil)
        try await first.close()
        try await second.close()
    }

    @Test("if several workers write at the same time, no answer or count is lost")
    func concurrentWriters() async throws {
        let caches = [try rig.open(), try rig.open()]
        let isbns = EmulatedProviders.isbns(0..<200).compactMap { ISBN($0) }
        try await withThrowingTaskGroup { group in
            for (number, cache) in caches.enumerated() {
                group.addTask {
                    for place in stride(from: number, to: isbns.count, by: 2) {
                        cache.store([.edition(isbns[place]): edition()])
                        _ = try await cache.add(1, on: "2025-11-15", provider: "google-books")
                    }
                    await cache.flush()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await caches[0].statistics().entries == 200)
        #expect(try await caches[1].usage(provider: "google-books")?.used == 200)
        #expect(rig.log.texts(at: .error).isEmpty)
        for cache in caches { try await cache.close() }
    }

    @Test("a damaged cache file is moved aside once, and the other workers continue with the new one")
    func sharedDamage() async throws {
        let first = try rig.open(), second = try rig.open()
        let damaged = second.pool
        first.failed(DatabaseError(resultCode: .SQLITE_CORRUPT), .read, at: first.pool)
        first.store([.edition(isbn): edition()])
        await first.flush()
        second.failed(DatabaseError(resultCode: .SQLITE_CORRUPT), .read, at: damaged)
        #expect(await second.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        #expect(await first.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        try await first.close()
        try await second.close()
    }

    @Test("the turns of all workers are one interval apart, in the order in which they were reserved")
    func turns() async throws {
        let first = try rig.open(), second = try rig.open()
        let clock = StoppedClock()
        var turns: [Duration] = []
        for cache in [first, second, second, first] {
            let turn = try await cache.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: clock)
            turns.append(clock.now.duration(to: turn))
        }
        #expect(turns == [.zero, .milliseconds(344), .milliseconds(688), .milliseconds(1_032)])
        let other = try await second.reserveTurn(provider: "isbndb", spacing: .seconds(1), clock: clock)
        #expect(other == clock.now)
        let later = StoppedClock(by: 10)
        let late = try await first.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: later)
        #expect(late == later.now)
        try await first.close()
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

    @Test("turns that were reserved before the clock was set back do not count")
    func turnsAfterClockChange() async throws {
        let cache = try rig.open()
        let (ahead, clock) = (StoppedClock(by: 3_600), StoppedClock())
        _ = try await cache.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: ahead)
        let turn = try await cache.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: clock)
        #expect(turn == clock.now)
        try await cache.close()
    }
}

/// A clock that stands still.
private struct StoppedClock: SuiteClock {
    let uptime = Duration.seconds(50)
    let date: Date

    init(by seconds: TimeInterval = 0) { date = Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

    func sleep(until uptime: Duration) async throws {}
}

@Suite("A lasting fault")
struct LogOnceTests {
    @Test("a lasting fault is logged when it begins, when its reason changes, and when it ends")
    func episode() {
        var fault = LogOnce()
        let before = fault.end()
        let noted = ["full", "full", "damaged", "damaged"].map { fault.note($0) }
        let ends = [fault.end(), fault.end()]
        let again = fault.note("damaged")
        #expect(!before)
        #expect(again)
        #expect(noted == [true, false, true, false])
        #expect(ends == [true, false])
    }
}
