import BookstrackContract
import SuiteFixture
import Testing
import WireClient

@Suite("SIGKILL during imports", .serialized)
struct ImportKillTests {
    private static let books = 3_000

    @Test("whichever process is killed, each row is imported once, and nothing remains in the upload folder")
    func survivesKills() async throws {
        let options = SuiteFixture.Suite.Options(settings: ["BOOKSTRACK_PROGRESS_INTERVAL_MS": "20"])
        try await SuiteFixture.Suite.run(options) { suite in
            let file = ImportTests.export((0..<Self.books).map { "978000\(1_000_000 + $0)" })
            for round in 0..<KillRounds.count {
                let victim = KilledProcesses(round: round)
                try await Self.round(suite, victim, file: file, "round \(round), \(victim)")
            }
            try KillRounds.check(suite, .csvImport)
            #expect(ImportTests.uploads(of: suite) == [])
        }
    }

    private static func round(
        _ suite: SuiteFixture.Suite, _ victim: KilledProcesses, file: String, _ place: Comment
    ) async throws {
        let job = JobID.random()
        async let started = KillRounds.start { try await ImportTests.start(file, as: job, on: suite) }
        try await victim.die(in: suite, within: 120)
        let answer = try await started
        var watcher = Watcher(suite, answer)
        try await watcher.watch()
        try await suite.waitUntilReady()
        #expect(watcher.numberingFaults == [], place)
        #expect(watcher.endings.count == 1, place)
        let results = try await suite.api.importResults(of: job)
        #expect(results.books.map(\.row) == Array(1...books), place)
        #expect(results.totalRows == books, place)
        let linked = try #require(answer.enrichment)
        let state = try await suite.api.state(of: linked.jobId, token: linked.token)
        #expect(state.totalCount == books, place)
        _ = try await suite.api.cancel(linked.jobId, token: linked.token)
    }
}
