import BookstrackContract
import Foundation
import GRDB
import SuiteFixture
import Testing
import WireClient

@Suite("SIGKILL at random moments", .serialized)
struct KillTests {
    /// The processes that are killed in one round; successive rounds kill different processes.
    private enum Victims: String, CaseIterable {
        case host, mainWorker, proxy, bothWorkers
        /// The further worker, restarted only after the job ends, so the main worker has to take over its books.
        case furtherWorkerForGood

        func processes(of suite: SuiteFixture.Suite) -> [ServiceProcess] {
            switch self {
            case .host: [suite.host]
            case .proxy: [suite.proxy]
            case .mainWorker: [suite.worker]
            case .furtherWorkerForGood: suite.furtherWorkers
            case .bothWorkers: [suite.worker] + suite.furtherWorkers
            }
        }
    }

    private static let rounds = KillRounds.count
    private static let books = 60
    /// Maximum time from the last restart (or from the kill, if no process is restarted before the end) to the end of the job: half a book's lease. A
    /// job that waited for the leases of a killed worker to expire would end later.
    private static let latestEnd = Duration.seconds(60)

    @Test(
        "every accepted job ends in time with one result per book and one terminal frame, whichever process is killed"
    )
    func survivesKills() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_PROGRESS_INTERVAL_MS": "20"],
            emulatorArguments: ["--latency", "80", "--synthetic", "\(Self.books * Self.rounds)"],
            furtherWorkers: ["second"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(Self.books * Self.rounds)
            var latest: [Victims: Duration] = [:]
            for round in 0..<Self.rounds {
                let victims = Victims.allCases[round % Victims.allCases.count]
                let slice = Array(isbns[(round * Self.books)..<((round + 1) * Self.books)])
                let end = try await Self.round(suite, victims, isbns: slice, "round \(round), \(victims)")
                latest[victims] = max(latest[victims] ?? .zero, end)
            }
            for (victims, end) in latest.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                print("\(Self.rounds) kill rounds, \(victims): latest end \(end) after the last restart")
            }
            try check(database: suite.dataDirectory + "/jobs.sqlite")
        }
    }

    /// Returns how long the job took to end after the last restart, or after the kill if no process was restarted before.
    private static func round(
        _ suite: SuiteFixture.Suite, _ victims: Victims, isbns: [String], _ place: Comment
    ) async throws -> Duration {
        let processes = victims.processes(of: suite)
        let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
        async let watched = watch(suite, job)
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...200)))
        for process in processes { await process.end(SIGKILL) }
        var lastChange = ContinuousClock.now
        if victims != .furtherWorkerForGood {
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...150)))
            for process in processes { try await process.start() }
            lastChange = .now
        }
        let (watcher, end) = try await watched
        if victims == .furtherWorkerForGood { for process in processes { try await process.start() } }
        try await suite.waitUntilReady()
        #expect(watcher.numberingFaults == [], place)
        #expect(watcher.endings.count == 1, place)
        #expect(end < lastChange + latestEnd, place)
        if victims != .proxy { #expect(watcher.connections.count == 1, "\(place): the client's socket dropped") }
        let results = try await suite.api.results(of: job.jobId)
        #expect(results.enrichedBooks.map(\.isbn) == isbns, place)
        #expect(results.successCount == isbns.count, place)
        return end - lastChange
    }

    /// Watches a job to its end; returns the watcher and the time at which it received the end.
    private static func watch(
        _ suite: SuiteFixture.Suite, _ job: StartedJob
    ) async throws -> (Watcher, ContinuousClock.Instant) {
        var watcher = Watcher(suite, job)
        try await watcher.watch()
        return (watcher, .now)
    }

    private func check(database path: String) throws {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM job WHERE status != 'completed'") == 0)
            let items = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
            #expect(items == Self.books * Self.rounds)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM result") == items)
            let terminal = "SELECT count(*) FROM event WHERE kind IN ('completed', 'failed', 'cancelled')"
            #expect(try Int.fetchOne(db, sql: terminal) == Self.rounds)
            try KillRounds.checkAnalytics(db, books: items ?? 0)
        }
    }
}
