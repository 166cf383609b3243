import BookstrackContract
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Daily totals of results for analytics")
struct QualityRollupTests {
    /// A book that was found by its ISBN at Open Library.
    private static let found = {
        var measure = ResultMeasure()
        measure.isByISBN = true
        measure.isFound = true
        measure.quality = 75
        measure.authors = 2
        measure.knownAuthors = 1
        measure[.openLibrary] = ProviderShare(
            isAsked: true, isAnswered: true, fields: BookFieldSet([.title, .authors]))
        measure[.googleBooks] = ProviderShare(isAsked: true)
        return measure
    }()

    private static let missing = {
        var measure = ResultMeasure()
        measure.isByISBN = true
        measure[.openLibrary] = ProviderShare(isAsked: true, isAnswered: true)
        return measure
    }()

    private func days(_ host: TestHost, since: Int64? = nil) async throws -> [AnalyticsDay] {
        try await AnalyticsReader(pool: host.pool).days(.init(since: since)).days
    }

    /// The totals, recounted from all items.
    private func recount(_ host: TestHost) throws -> QualityCounts {
        try host.pool.read { db in
            try Int.fetchAll(db, sql: "SELECT measure FROM item WHERE measure IS NOT NULL").map(ResultMeasure.init)
                .reduce(into: QualityCounts()) { $0.add($1) }
        }
    }

    @Test("every outcome counts once, for the day on which its job was accepted")
    func once() async throws {
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record(Array(items[0..<2]), measure: Self.found)
        try worker.record(Array(items[0..<2]), measure: Self.found)
        // It is past midnight, and the lease has expired.
        host.advance(by: .seconds(5 * 3_600))
        try worker.record(try worker.claim(), error: .notFound, measure: Self.missing)
        let day = try #require(try await days(host).first)
        #expect(try await days(host).count == 1)
        #expect(day.day == "2025-11-15")
        #expect(day.pipeline == .batchEnrichment)
        #expect(day.counts == (try recount(host)))
        #expect(day.counts.books == 3)
        #expect(day.counts.isbns == 3)
        #expect(day.counts.isbnsFound == 2)
        #expect(day.counts.covers == 0)
        #expect(day.counts.meanQuality == 75)
        #expect(day.counts.authorKnownRatio == 0.5)
        #expect(day.providers.map(\.provider) == [.openLibrary, .googleBooks])
        #expect(day.providers[0].asked == 3)
        #expect(day.providers[0].answered == 3)
        #expect(day.providers[0].used == ["title": 2, "authors": 2])
        #expect(day.providers[1].asked == 2)
        #expect(day.providers[1].answered == 0)
    }

    @Test("each result of an open job counts once when the job ends, even if the process died in between")
    func openJob() async throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let items = try TestWorker(host).claim()
        try host.restart()
        let worker = try TestWorker(host)
        _ = try worker.claim()
        try worker.record([items[0]], followUp: .soon, measure: Self.found)
        #expect(try await days(host) == [])
        try host.restart()
        let next = try TestWorker(host)
        var better = Self.found
        better.hasCover = true
        let due = try next.claim()
        try next.record(due.filter { $0.workClass == .followUp }, measure: better)
        #expect(try await days(host) == [])
        try host.restart()
        _ = try host.perform(durable: true) { engine, turn in
            try engine.cancel(JobAccess(jobId: job.jobId, token: job.token), turn)
        }
        let day = try #require(try await days(host).first)
        #expect(day.counts.books == 1)
        #expect(day.counts.covers == 1)
        #expect(day.counts == (try recount(host)))
    }

    @Test("in the counts, a follow-up's result replaces the result that it improves")
    func followUp() async throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), followUp: .soon, measure: Self.found)
        var better = Self.found
        better.hasCover = true
        better.knownAuthors = 2
        better[.googleBooks] = ProviderShare(isAsked: true, isAnswered: true, fields: [.init(.cover)])
        try worker.record(try worker.claim(), measure: better)
        let day = try #require(try await days(host).first)
        #expect(day.counts == (try recount(host)))
        #expect(day.counts.books == 1)
        #expect(day.counts.covers == 1)
        #expect(day.counts.authorKnownRatio == 1)
        #expect(day.providers[0].asked == 1)
        #expect(day.providers[1].used == ["cover": 1])
        #expect(host.number("bookstrack_answers_used_total", "cover") == 1)
        #expect(host.number("bookstrack_answers_used_total", "openlibrary") == 2)
    }

    @Test("a background retry that finds the book turns a failure into a success")
    func backgroundRetry() async throws {
        let host = try TestHost(jitter: 0)
        try host.create(books: 1)
        let worker = try TestWorker(host)
        for _ in 0...host.policy.retries.withinJob.count {
            host.advance(by: .seconds(5))
            try worker.record(try worker.claim(), error: .providerTimeout, measure: Self.missing)
        }
        #expect(try await days(host).first?.counts.matchRatio == 0)
        #expect(try await days(host).first?.counts.books == 1)
        host.advance(by: .seconds(3_700))
        try worker.record(try worker.claim(), measure: Self.found)
        let day = try #require(try await days(host).first)
        #expect(day.counts.matchRatio == 1)
        #expect(day.counts == (try recount(host)))
    }

    @Test("the totals from a failed transaction are discarded")
    func failedGroup() async throws {
        let host = try TestHost()
        try host.create(books: 2)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try await host.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
        #expect(throws: HostFailure.self) { try worker.record([items[0]], measure: Self.found) }
        try await host.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 0") }
        host.advance(by: .seconds(2))
        #expect(try await days(host) == [])
        try worker.record(items, measure: Self.found)
        #expect(try await days(host).first?.counts.books == 2)
        #expect(host.number("bookstrack_quality_books") == 2)
        #expect(host.number("bookstrack_answers_used_total", "title") == 2)
    }

    @Test("outcomes from a worker that sends no measures are not counted")
    func unmeasured() async throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(try await days(host) == [])
    }

    @Test("ratios cover today's and yesterday's jobs, even after a restart, and are absent if there are no books")
    func ratios() throws {
        let host = try TestHost()
        #expect(host.number("bookstrack_match_ratio") == nil)
        #expect(host.number("bookstrack_quality_mean") == nil)
        try host.create(books: 4)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record(Array(items[0..<3]), measure: Self.found)
        try worker.record([items[3]], error: .notFound, measure: Self.missing)
        #expect(host.number("bookstrack_match_ratio") == 0.75)
        #expect(host.number("bookstrack_cover_ratio") == 0)
        #expect(host.number("bookstrack_author_known_ratio") == 0.5)
        #expect(host.number("bookstrack_quality_mean") == 75)
        try host.restart()
        #expect(host.number("bookstrack_match_ratio") == 0.75)
        host.advance(by: .seconds(86_400))
        #expect(host.number("bookstrack_quality_books") == 4)
        host.advance(by: .seconds(86_400))
        #expect(host.number("bookstrack_quality_books") == 0)
        #expect(host.number("bookstrack_match_ratio") == nil)
    }

    @Test("ratios are unchanged after a clock that was days ahead has been corrected")
    func ratiosAfterJump() throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), measure: Self.found)
        host.clock.stepWall(by: .seconds(3 * 86_400))
        host.advance(by: .seconds(60))
        host.clock.stepWall(by: .seconds(-3 * 86_400))
        host.advance(by: .seconds(60))
        #expect(host.number("bookstrack_quality_books") == 1)
    }

    @Test("days are listed newest first, back to a given time, and deleted after 400 days")
    func age() async throws {
        let host = try TestHost()
        let today = RollupKey.day(host.clock.now().wall)
        var sums = RollupSums()
        sums.add(Self.found)
        try await host.pool.write { [sums] db in
            for day in (today - 450)...today {
                try RollupStore(db: db).add(sums, to: RollupKey(day: day, pipeline: .aiScan))
            }
        }
        host.advance(by: .seconds(60))
        let all = try await days(host)
        #expect(all.count == QueryAnalytics.daysKept)
        #expect(all.map(\.day) == all.map(\.day).sorted(by: >))
        #expect(try await days(host, since: (today - 6) * 86_400_000 + 5).count == 7)
    }

    @Test("a year of totals for every pipeline and provider takes less than 1 MiB")
    func size() throws {
        let host = try TestHost()
        var sums = RollupSums()
        for _ in 0..<100 { sums.add(Self.found) }
        for provider in MeasuredProvider.allCases { sums[provider].asked = 123_456_789 }
        try host.pool.write { [sums] db in
            for day in Int64(20_000)..<20_365 {
                for pipeline in Pipeline.allCases {
                    try RollupStore(db: db).add(sums, to: RollupKey(day: day, pipeline: pipeline))
                }
            }
        }
        let bytes = try host.pool.read { db in
            try Int.fetchOne(
                db, sql: "SELECT sum(pgsize) FROM dbstat WHERE name IN ('quality_day', 'provider_day')")
        }
        print("a year of totals: \(bytes ?? 0) bytes")
        #expect(try #require(bytes) < 1 << 20)
    }
}
