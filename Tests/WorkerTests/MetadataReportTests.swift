import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOConcurrencyHelpers
import SuiteMethods
import SuiteStorage
import TestSupport
import Testing

@testable import EnrichmentWorker

@Suite("Failing and reported ISBNs")
struct ISBNHistoryTests {
    private static let now = 1_764_000_000
    private let queue: DatabaseQueue
    private let isbn: ISBN

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { try CacheSchema.migrate($0) }
        isbn = try #require(ISBN("9780441172719"))
    }

    private func note(_ use: ISBNUse, at time: Int) throws {
        try queue.write { try ISBNHistory(db: $0).note([isbn: use], at: time) }
    }

    private func report(
        _ fields: [BookField] = [], note: String? = nil, limit: Int = 10, at time: Int
    ) throws -> ReportReceipt.Lookup {
        try queue.write {
            try ISBNHistory(db: $0).add(MetadataReport(isbn: isbn, fields: fields, note: note), limit: limit, at: time)
        }
    }

    private func noted() throws -> [FailingISBN] { try queue.read { try ISBNHistory(db: $0).noted(limit: 10).isbns } }

    @Test("consecutive failures are counted with their first and last time, and a success resets the count")
    func failures() throws {
        try note(.failed(.providerTimeout), at: Self.now)
        try note(.failed(.notFound), at: Self.now + 60)
        let failing = try #require(try noted().first)
        #expect(failing.isbn == "9780441172719")
        #expect(failing.attempts == 2)
        #expect(failing.code == .notFound)
        #expect(failing.firstFailedAt == Self.now)
        #expect(failing.lastFailedAt == Self.now + 60)
        try note(.found, at: Self.now + 120)
        #expect(try noted() == [])
    }

    @Test("reports about a book requested within the last day cause one new lookup a day")
    func onceADay() throws {
        try note(.found, at: Self.now)
        #expect(try report([.cover], at: Self.now + 10) == .scheduled)
        #expect(try report([.language], note: "It is in French", at: Self.now + 20) == .recent)
        #expect(try report(at: Self.now + ISBNHistory.day) == .notAsked)
        try note(.found, at: Self.now + ISBNHistory.day)
        #expect(try report(at: Self.now + ISBNHistory.day + 20) == .scheduled)
        let reported = try #require(try noted().first)
        #expect(reported.reports == 4)
        #expect(reported.fields == [.cover, .language])
        #expect(reported.note == "It is in French")
        #expect(reported.attempts == 0)
    }

    @Test("an ISBN in a response can be reported for a day, and the failures of its own lookups are kept")
    func returned() throws {
        try note(.returned, at: Self.now)
        #expect(try noted() == [])
        #expect(try report(at: Self.now + ISBNHistory.day) == .notAsked)
        try note(.failed(.notFound), at: Self.now)
        try note(.returned, at: Self.now + ISBNHistory.day)
        #expect(try noted().first?.attempts == 1)
        #expect(try report(at: Self.now + ISBNHistory.day + 10) == .scheduled)
    }

    @Test("a report about a book that was never requested is not kept")
    func unknown() throws {
        #expect(try report([.cover], at: Self.now) == .notAsked)
        #expect(try noted() == [])
    }

    @Test("once the day's share of the budgets is used up, reports cause no lookups until the next day")
    func budget() throws {
        let midnight = Self.now - Self.now % ISBNHistory.day
        try note(.found, at: midnight)
        #expect(try report(limit: 0, at: midnight + 1) == .budget)
        let other = try #require(ISBN("9780141439587"))
        try queue.write { db in
            try ISBNHistory(db: db).note([other: .found], at: midnight)
            let first = try ISBNHistory(db: db).add(MetadataReport(isbn: other), limit: 1, at: midnight + 2)
            #expect(first == .scheduled)
        }
        #expect(try report(limit: 1, at: midnight + 3) == .budget)
        try note(.found, at: midnight + ISBNHistory.day)
        #expect(try report(limit: 1, at: midnight + ISBNHistory.day + 1) == .scheduled)
    }

    @Test("a lookup that a report caused while the clock was ahead neither counts as recent nor uses the day's share")
    func clockSetBack() throws {
        try note(.found, at: Self.now)
        #expect(try report(limit: 1, at: Self.now + ISBNHistory.day - 1) == .scheduled)
        #expect(try report(limit: 1, at: Self.now) == .scheduled)
    }

    @Test(
        "an ISBN without failures is removed after a day, and if too many ISBNs failed, the oldest failures are removed first"
    )
    func pruning() throws {
        try note(.found, at: Self.now)
        let isbns = ["9780141439587", "9780618260300", "9780743273565"].compactMap { ISBN($0) }
        try queue.write { db in
            let history = ISBNHistory(db: db)
            for (age, isbn) in isbns.enumerated() {
                try history.note([isbn: .failed(.notFound)], at: Self.now - age)
            }
            try history.prune(at: Self.now + 60, keeping: 2)
            let kept = try history.noted(limit: 10)
            #expect(kept.isbns.map(\.isbn) == isbns.prefix(2).map(\.isbn13))
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM isbn_history") == 3)
            try history.prune(at: Self.now + ISBNHistory.day, keeping: 2)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM isbn_history") == 2)
        }
    }

    @Test("an ISBN that was requested while the clock was ahead is removed after the clock has been set back")
    func pruningAfterClockChange() throws {
        try note(.found, at: Self.now + 30 * ISBNHistory.day)
        try queue.write { db in
            try ISBNHistory(db: db).prune(at: Self.now)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM isbn_history") == 0)
        }
    }
}

@Suite("Reports of missing metadata", .timeLimit(.minutes(1)))
struct MetadataReportTests {
    @Test("a reported book is requested from the providers again, although its cached answers are fresh")
    func afresh() async throws {
        try await WorkerRig.run { rig in
            await rig.host.claimed()
            rig.host.hand(try items([.isbn("9780441172719")]))
            _ = await rig.host.delivered(1)
            await rig.cache.flush()
            let before = rig.providers.log.count
            let receipt = try await rig.reports().add(.init(isbn: "0-441-17271-7", fields: [.cover]))
            #expect(receipt == ReportReceipt(isbn: "9780441172719", fields: [.cover], lookup: .scheduled))
            try await until { rig.providers.log.count >= before + 3 }
            let asked = rig.providers.log.dropFirst(before).map(\.path)
            #expect(asked.contains { $0.contains("9780441172719") })
            #expect(try await rig.reports().add(.init(isbn: "9780441172719")).lookup == .recent)
        }
    }

    @Test("an ISBN that was searched for can be reported, and one that failed is listed with its reason")
    func searched() async throws {
        try await WorkerRig.run { rig in
            let query = SearchQuery(.isbn, isbn: "9780000000002", limit: 1)
            _ = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: nil))
            let failing = try await rig.cache.failingISBNs(limit: 10)
            #expect(failing.isbns.map(\.isbn) == ["9780000000002"])
            #expect(failing.isbns.first?.code == .notFound)
            #expect(try await rig.reports().add(.init(isbn: "9780000000002")).lookup == .scheduled)
        }
    }

    @Test("a book that a search has found by its title can be reported")
    func searchedByTitle() async throws {
        try await WorkerRig.run { rig in
            let query = SearchQuery(.title, title: "Dune", limit: 20)
            let answer = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: nil))
            let found = try BodyCoding.decode(SearchResults.self, from: answer.data)
            let isbn = try #require(found.editions.first?.isbn)
            #expect(try await rig.reports().add(.init(isbn: isbn)).lookup == .scheduled)
        }
    }

    @Test("an edition that a search has found can be reported")
    func searchedForEditions() async throws {
        try await WorkerRig.run { rig in
            let query = SearchQuery(.editions, title: "Dune", author: "Frank Herbert", limit: 50)
            let answer = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: nil))
            let found = try BodyCoding.decode(EditionResults.self, from: answer.data)
            let isbn = try #require(found.editions.last?.isbn)
            #expect(try await rig.reports().add(.init(isbn: isbn)).lookup == .scheduled)
        }
    }

    @Test("a book that a job has found by its title can be reported")
    func enrichedByTitle() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([BookQuery(title: "The Great Gatsby", author: "F. Scott Fitzgerald")]))
            let isbn = try #require(try await rig.onlyRow().enriched?.edition?.isbn)
            #expect(try await rig.reports().add(.init(isbn: isbn)).lookup == .scheduled)
        }
    }

    @Test("a book that a scan has found by the words on its spine can be reported")
    func scanned() async throws {
        try await WorkerRig.run { rig in
            let reading = DetectedSpine(
                text: nil, title: "THE GREAT GATSBY", author: "F. Scott Fitzgerald", isbn: nil, isBarcode: false,
                box: .whole, confidence: 0.9)
            var item = try items([reading.query])[0]
            item.spine = SpineItem(photo: 0, engine: "gemini", reading: reading)
            rig.host.hand([item])
            let isbn = try #require(try await rig.onlyDelivery().scanned?.isbn)
            #expect(try await rig.reports().add(.init(isbn: isbn)).lookup == .scheduled)
        }
    }

    @Test("an ISBN that is not found while a provider fails is not listed as not found")
    func searchedDuringFailure() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"openlibrary","kind":"status","code":400}]"#)
            let query = SearchQuery(.isbn, isbn: "9780000000002", limit: 1)
            let answer = try await rig.searcher.answer(.init(.init(query: query, shape: .contract), client: nil))
            #expect(answer.head.providers != nil)
            #expect(try await rig.cache.failingISBNs(limit: 10).isbns.isEmpty)
        }
    }

    @Test("a report about an ISBN with a wrong check digit is rejected")
    func invalid() async throws {
        try await WorkerRig.run { rig in
            await #expect(throws: (any Error).self) { try await rig.reports().add(.init(isbn: "9780441172718")) }
        }
    }

    @Test(
        "lookups caused by reports are limited to a twentieth of the smallest daily budget, or to 200 a day without a budget"
    )
    func shares() async throws {
        try await WorkerRig.run { rig in
            #expect(rig.reports(budgets: [1_000, 500]).dailyLimit == 25)
            #expect(rig.reports(budgets: [1_000, 0]).dailyLimit == 50)
            #expect(rig.reports(budgets: [5]).dailyLimit == 1)
            #expect(rig.reports(budgets: [0]).dailyLimit == 200)
        }
    }
}
