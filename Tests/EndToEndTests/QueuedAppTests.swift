import BookstrackContract
import Foundation
import GRDB
import SuiteFixture
import Testing
import WireClient

/// The queue of `BookstrackClient` in an app that is a separate process and may be killed at any moment.
@Suite("An app that queues books and is killed", .serialized)
struct QueuedAppTests {
    private static let books = 120

    @Test("no book is lost, no book is in two jobs, and a start repeated after a crash returns the same job")
    func killed() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_RATE_LIMIT": "off"],
            emulatorArguments: ["--synthetic", "\(Self.books * KillRounds.count)", "--latency", "20"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(Self.books * KillRounds.count)
            var kills = 0
            for round in 0..<KillRounds.count {
                let wanted = Array(isbns.dropFirst(round * Self.books).prefix(Self.books))
                kills += try await run(round, wanted, on: suite)
            }
            #expect(kills >= KillRounds.count)
            try check(suite, isbns)
        }
    }

    /// Kills the app until it has been killed six times or is done, lets it finish, and returns how often it was killed.
    private func run(_ round: Int, _ wanted: [String], on suite: SuiteFixture.Suite) async throws -> Int {
        let folder = suite.directory.appending(path: "app-\(round)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(wanted.map { $0 + "\n" }.joined().utf8).write(to: folder.appending(path: "wanted.txt"))
        let app = ServiceProcess(
            .queuedApp, arguments: ["http://127.0.0.1:\(suite.http.address.port)", folder.path],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
            logPath: folder.appending(path: "app.log").path)
        var kills = 0
        for _ in 0..<6 {
            try await app.start()
            let ended = Task { await app.wait() }
            // The delay may end before the app's first line, or after the end of its last job.
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...600)))
            guard app.isAlive else {
                #expect(await ended.value == 0, "\(app.log)")
                break
            }
            await app.end(SIGKILL)
            _ = await ended.value
            kills += 1
        }
        try await app.start()
        #expect(await app.wait() == 0, "\(app.log)")
        let library = try String(contentsOf: folder.appending(path: "library.txt"), encoding: .utf8)
        #expect(Set(library.split(separator: "\n").map(String.init)) == Set(wanted))
        return kills
    }

    /// Checks that all jobs have completed and that they have as many items as there are books; each round has two jobs, one of 100 books and one
    /// of the rest.
    private func check(_ suite: SuiteFixture.Suite, _ isbns: [String]) throws {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: suite.dataDirectory + "/jobs.sqlite", configuration: configuration)
        try queue.read { db in
            let jobs = try Int.fetchOne(db, sql: "SELECT count(*) FROM job")
            #expect(jobs == 2 * KillRounds.count)
            let unfinished = try Int.fetchOne(db, sql: "SELECT count(*) FROM job WHERE status != 'completed'")
            #expect(unfinished == 0)
            let items = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
            #expect(items == isbns.count)
        }
    }
}
