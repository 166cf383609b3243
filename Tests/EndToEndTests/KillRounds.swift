import BookstrackContract
import Foundation
import GRDB
import SuiteFixture
import Testing

/// Which processes die in a round of a test with an upload.
enum KilledProcesses: String, CaseIterable {
    case host, worker, proxy, all

    /// The victims of a round, one kind after the other.
    init(round: Int) { self = Self.allCases[round % Self.allCases.count] }

    func processes(of suite: SuiteFixture.Suite) -> [ServiceProcess] {
        switch self {
        case .host: [suite.host]
        case .worker: [suite.worker]
        case .proxy: [suite.proxy]
        case .all: [suite.host, suite.worker, suite.proxy]
        }
    }

    /// Waits for a random time of at most `limit` milliseconds, kills, and starts again after another random time.
    func die(in suite: SuiteFixture.Suite, within limit: Int) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...limit)))
        for process in processes(of: suite) { await process.end(SIGKILL) }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...100)))
        for process in processes(of: suite) { try await process.start() }
    }
}

/// What tests that kill processes have in common.
enum KillRounds {
    /// `BOOKSTRACK_KILL_ROUNDS`, by default 30; 300 in the nightly run.
    static let count = ProcessInfo.processInfo.environment["BOOKSTRACK_KILL_ROUNDS"].flatMap { Int($0) } ?? 30

    /// Uploads until the start is answered, like a client that loses answers and retries with the same identifier.
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

    /// Every job of a pipeline is completed, and each has one terminal event.
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
}
