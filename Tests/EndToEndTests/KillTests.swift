import BookstrackContract
import Foundation
import GRDB
import ProgressClient
import SuiteFixture
import Testing

@Suite("SIGKILL at random moments", .serialized)
struct KillTests {
    /// 30 rounds, or as many as `BOOKSTRACK_KILL_ROUNDS` says; the nightly run says 300.
    private static let rounds = ProcessInfo.processInfo.environment["BOOKSTRACK_KILL_ROUNDS"].flatMap { Int($0) } ?? 30
    private static let books = 60

    @Test("whatever process dies, every accepted job ends with one result per book and one terminal frame")
    func survivesKills() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_PROGRESS_INTERVAL_MS": "20"],
            emulatorArguments: ["--latency", "40", "--synthetic", "\(Self.books * Self.rounds)"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(Self.books * Self.rounds)
            for round in 0..<Self.rounds {
                let slice = isbns[(round * Self.books)..<((round + 1) * Self.books)]
                try await self.round(round, isbns: Array(slice), suite)
            }
            try check(database: suite.dataDirectory + "/jobs.sqlite")
        }
    }

    private func round(_ round: Int, isbns: [String], _ suite: SuiteFixture.Suite) async throws {
        let victims = [suite.host, suite.worker, suite.proxy]
        let victim = victims[round % victims.count]
        let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
        async let watched = Self.watch(suite, job)
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...250)))
        await victim.end(SIGKILL)
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...150)))
        try await victim.start()
        let watcher = try await watched
        try await suite.waitUntilReady()
        let place = "round \(round), \(victim === suite.host ? "host" : victim === suite.worker ? "worker" : "proxy")"
        #expect(watcher.numberingFaults == [], "\(place)")
        #expect(watcher.endings.count == 1, "\(place)")
        if victim !== suite.proxy { #expect(watcher.connections.count == 1, "\(place): the client's socket dropped") }
        let results = try await suite.api.results(of: job.jobId)
        #expect(results.enrichedBooks.map(\.isbn) == isbns, "\(place)")
        #expect(results.successCount == isbns.count, "\(place)")
    }

    private static func watch(_ suite: SuiteFixture.Suite, _ job: StartedJob) async throws -> Watcher {
        var watcher = Watcher(suite, job)
        try await watcher.watch()
        return watcher
    }

    private func check(database path: String) throws {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM job WHERE status != 'completed'") == 0)
            let items = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM result") == items)
            let terminal = "SELECT count(*) FROM event WHERE kind IN ('completed', 'failed', 'cancelled')"
            #expect(try Int.fetchOne(db, sql: terminal) == Self.rounds)
        }
    }
}
