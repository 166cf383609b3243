import BookstrackContract
import Foundation
import SuiteFixture
import SuiteMethods
import Testing
import WireClient

@Suite("Operator commands, end to end", .serialized)
struct OperatorTests {
    private static let books = 400

    @Test(
        "a job that was running during the backup finishes after the restore, and clients receive no sequence number twice"
    )
    func backupAndRestore() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: [
                "BOOKSTRACK_MAX_BATCH_BOOKS": "\(Self.books)", "BOOKSTRACK_PROGRESS_INTERVAL_MS": "20",
                // Slow enough that the job is still running after all steps, even on a busy machine.
                "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "2",
            ],
            emulatorArguments: ["--latency", "60", "--synthetic", "\(Self.books)"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(Self.books)
            let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
            async let watched = Self.watch(suite, job)
            try await Self.until { try await suite.api.state(of: job.jobId, token: job.token).processedCount > 20 }
            let backups = suite.directory.appending(path: "backups").path
            let made = try await suite.bookstrack("backup", backups)
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.hasPrefix(backups + "/bookstrack-"), "\(made.errors)")
            let backup = made.output.trimmingCharacters(in: .newlines)
            let refused = try await suite.bookstrack("restore", backup, "--yes", "--wait", "0")
            #expect(refused.status == 75, "\(refused.errors)")
            #expect(refused.errors.contains("stop the services"), "\(refused.errors)")
            let sound = try await suite.bookstrack("check", "--full")
            #expect(sound.status == 0, "\(sound.output)")

            await suite.host.end(SIGKILL)
            let early = try await suite.bookstrack("restore", backup, "--yes", "--wait", "0")
            #expect(early.status == 75, "\(early.errors)")
            #expect(early.errors.contains("enrichment-worker is running"), "\(early.errors)")
            async let patient = suite.bookstrack("restore", backup, "--yes")
            await suite.worker.end(SIGKILL)
            let restored = try await patient
            #expect(restored.status == 0, "\(restored.errors)")
            #expect(restored.output.contains("replaced-"), "\(restored.errors)")
            for process in [suite.host, suite.worker] { try await process.start() }
            let watcher = try await watched
            let numbers = watcher.events.map(\.seq)
            #expect(numbers == Set(numbers).sorted(), "a sequence number was repeated or out of order")
            #expect(watcher.endings.count == 1)
            let results = try await suite.api.results(of: job.jobId)
            #expect(results.enrichedBooks.map(\.isbn) == isbns)
            #expect(results.successCount == Self.books)
            for arguments in [["check", "--full"], ["check", backup]] {
                let check = try await suite.bookstrack(arguments)
                #expect(check.status == 0, "\(check.output)")
            }
        }
    }

    @Test("status and doctor report running and stopped services, and doctor reports abandoned sockets")
    func statusAndDoctor() async throws {
        try await SuiteFixture.Suite.run { suite in
            try await Self.until {
                let status = try await suite.bookstrack("status", "--json")
                let states = try JSONDecoder().decode(States.self, from: Data(status.output.utf8))
                return status.status == 0 && states.services.map(\.state) == ["ready", "ready", "ready"]
            }
            let fit = try await Self.bookstrack("doctor", at: suite) { $0.status == 0 }
            #expect(fit.status == 0, "\(fit.output)")
            #expect(fit.output.contains(", 0 problems"), "\(fit.output)")
            for part in ["/health answers", "openlibrary", "api-proxy may open"] { #expect(fit.output.contains(part)) }

            await suite.worker.end(SIGKILL)
            let hostIsReady = "progress-host      ready"
            let partly = try await Self.bookstrack("status", at: suite) { $0.output.contains(hostIsReady) }
            #expect(partly.status == 1, "\(partly.output)")
            #expect(partly.output.contains(hostIsReady), "\(partly.output)")
            let sick = try await suite.bookstrack("doctor", "--json")
            #expect(sick.status == 1, "\(sick.output)")
            #expect(sick.output.contains("which an earlier run left behind"), "\(sick.output)")

            for process in [suite.proxy, suite.host] { await process.end(SIGTERM) }
            #expect(try await suite.bookstrack("status").status == 69)
            #expect(try await suite.bookstrack("doctor").status == 1)
        }
    }

    @Test(
        "a backup that does not fit on the disk fails with a message and leaves nothing behind",
        .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs root"))
    func fullDisk() async throws {
        let disk = try await SmallDisk(megabytes: 1)
        do {
            try await SuiteFixture.Suite.run { suite in
                try disk.fill()
                let run = try await suite.bookstrack("backup", disk.path)
                #expect(run.status == 73, "\(run.status) \(run.errors)")
                #expect(run.errors.contains(disk.path), "\(run.status) \(run.errors)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["ballast"])
            }
        } catch {
            await disk.unmount()
            throw error
        }
        await disk.unmount()
    }

    private struct States: Decodable {
        struct Service: Decodable { var state: String }
        var services: [Service]
    }

    private static func watch(_ suite: SuiteFixture.Suite, _ job: StartedJob) async throws -> Watcher {
        var watcher = Watcher(suite, job)
        try await watcher.watch()
        return watcher
    }

    /// Repeats a command, for at most a minute, until its output is as expected, because a service that takes longer than
    /// 2 s to respond is reported as down. Returns the last run.
    private static func bookstrack(
        _ command: String, at suite: SuiteFixture.Suite, until isAsExpected: (SuiteFixture.Suite.CommandRun) -> Bool
    ) async throws -> SuiteFixture.Suite.CommandRun {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let run = try await suite.bookstrack(command)
            if isAsExpected(run) || ContinuousClock.now >= deadline { return run }
        }
    }

    static func until(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !condition() {
            guard ContinuousClock.now < deadline else {
                throw ServiceProcess.Failure(description: "the condition did not become true within 60 s")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
