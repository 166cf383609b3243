import BookstrackContract
import Foundation
import GRDB
import SuiteFixture
import SuiteMethods
import Testing

/// The processes that are killed in one round of a test.
enum KilledProcesses: String, CaseIterable {
    case host, worker, proxy, all

    /// The processes for a round; successive rounds kill different processes.
    init(round: Int) { self = Self.allCases[round % Self.allCases.count] }

    func processes(of suite: SuiteFixture.Suite) -> [ServiceProcess] {
        switch self {
        case .host: [suite.host]
        case .worker: [suite.worker]
        case .proxy: [suite.proxy]
        case .all: [suite.host, suite.worker, suite.proxy]
        }
    }

    /// Waits for a random time of at most `limit` milliseconds, kills the processes, and restarts them after another
    /// random time.
    func die(in suite: SuiteFixture.Suite, within limit: Int) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...limit)))
        for process in processes(of: suite) { await process.end(SIGKILL) }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...100)))
        for process in processes(of: suite) { try await process.start() }
    }
}

/// Shared helpers of the tests that kill processes.
enum KillRounds {
    /// `BOOKSTRACK_KILL_ROUNDS`, which defaults to 30; the nightly run uses 300.
    static let count = ProcessInfo.processInfo.environment["BOOKSTRACK_KILL_ROUNDS"].flatMap { Int($0) } ?? 30

    /// Repeats a start until it receives a response, like a client that loses responses and retries with the same
    /// identifier.
    static func start<Answer>(_ start: () async throws -> Answer) async throws -> Answer {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            do {
                return try await start()
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Checks that the database is intact, that every job of a pipeline is completed, and that there is one terminal event
    /// for each round.
    static func check(_ suite: SuiteFixture.Suite, _ pipeline: Pipeline) throws {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: suite.dataDirectory + "/jobs.sqlite", configuration: configuration)
        try queue.read { db in
            let integrity = try String.fetchOne(db, sql: "PRAGMA integrity_check")
            #expect(integrity == "ok")
            let unfinished = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM job WHERE pipeline = ? AND status != 'completed'",
                arguments: [pipeline.rawValue])
            #expect(unfinished == 0)
            let ends = try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM event JOIN job ON job.number = event.job
                    WHERE pipeline = ? AND kind IN ('completed', 'failed', 'cancelled')
                    """, arguments: [pipeline.rawValue])
            #expect(ends == count)
        }
    }

    /// Checks that the sums in analytics equal a recount from the results of batch enrichments, in one snapshot.
    static func checkAnalytics(_ db: Database, books: Int) throws {
        var counted = QualityCounts()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT row, measure FROM item JOIN result ON result.id = item.result")
        while let row = try rows.next() {
            let text: Data = row["row"]
            let book = try JSONDecoder().decode(EnrichedBook.self, from: text)
            counted.add(ResultMeasure(of: book))
            let stored = ResultMeasure(rawValue: try #require(row["measure"]))
            let contributors = [book.enriched?.work.contributors, book.enriched?.edition?.contributors]
                .flatMap { $0 ?? [] }.map(\.rawValue)
            let credited = [MeasuredProvider.openLibrary, .googleBooks, .isbndb]
                .filter { !stored[$0].fields.isEmpty }
            #expect(Set(credited.map(\.rawValue)).isSubset(of: contributors))
        }
        let days = try Row.fetchAll(
            db,
            sql: """
                SELECT sum(books) AS books, sum(found) AS found, sum(isbns) AS isbns, sum(isbns_found) AS isbns_found,
                    sum(covers) AS covers, sum(authors) AS authors, sum(known_authors) AS known_authors,
                    sum(quality) AS quality
                FROM quality_day WHERE pipeline = 'batch_enrichment'
                """)
        let sums = try #require(days.first)
        #expect(counted.books == books)
        #expect(sums["books"] == counted.books)
        #expect(sums["found"] == counted.found)
        #expect(sums["isbns"] == counted.isbns)
        #expect(sums["isbns_found"] == counted.isbnsFound)
        #expect(sums["covers"] == counted.covers)
        #expect(sums["authors"] == counted.authors)
        #expect(sums["known_authors"] == counted.knownAuthors)
        #expect(sums["quality"] == counted.quality)
        try checkProviders(db)
        print("analytics equal a recount: \(counted)")
    }

    /// Checks that each provider's sums equal those of the items' measures.
    private static func checkProviders(_ db: Database) throws {
        let measures = try Int.fetchAll(db, sql: "SELECT measure FROM item WHERE measure IS NOT NULL")
            .map(ResultMeasure.init)
        for provider in MeasuredProvider.allCases {
            let sums = try Row.fetchOne(
                db,
                sql: """
                    SELECT coalesce(sum(asked), 0) AS asked, coalesce(sum(answered), 0) AS answered,
                        coalesce(sum(title), 0) AS title, coalesce(sum(authors), 0) AS authors,
                        coalesce(sum(cover), 0) AS cover
                    FROM provider_day WHERE provider = ?
                    """, arguments: [provider.rawValue])
            let shares = measures.map { $0[provider] }
            #expect(sums?["asked"] == shares.count(where: \.isAsked))
            #expect(sums?["answered"] == shares.count(where: \.isAnswered))
            #expect(sums?["title"] == shares.count { $0.fields.fields.contains(.title) })
            #expect(sums?["authors"] == shares.count { $0.fields.fields.contains(.authors) })
            #expect(sums?["cover"] == shares.count { $0.fields.fields.contains(.cover) })
        }
    }
}

extension ResultMeasure {
    /// The parts of a measure that can be derived from its row of the results.
    fileprivate init(of row: EnrichedBook) {
        self.init()
        isByISBN = row.isbn != nil
        guard let book = row.enriched else { return }
        isFound = true
        hasCover = book.work.coverImageURL != nil || book.edition?.coverImageURL != nil
        quality = book.work.isbndbQuality
        authors = book.authors.count
        knownAuthors = book.authors.count { $0.gender != .unknown || $0.culturalRegion != nil || $0.nationality != nil }
    }
}
