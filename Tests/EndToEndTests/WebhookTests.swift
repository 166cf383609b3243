import BookstrackContract
import Foundation
import GRDB
import SuiteFixture
import TestSupport
import Testing
import WireClient

/// Checks websocket.md "Following the results" and jobs.md "Webhooks" with receivers that share no code with
/// BooksTrack.
@Suite("Results improved after a job's end", .serialized, .timeLimit(.minutes(5)))
struct WebhookTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let books = 3

    /// A line printed by `webhook_receiver.py`.
    private struct Arrival: Decodable {
        struct Body: Decodable, Equatable {
            var id: String
            var type: String
            var jobId: String
            var resultsRevision: Int
            var improved: Int
            var resultsUrl: String
        }

        var signed: Bool
        var isCurrent: Bool
        var id: String
        var path: String
        var body: String
        var type: String

        func content() throws -> Body { try JSONDecoder().decode(Body.self, from: Data(body.utf8)) }
    }

    /// A webhook receiver behind a TLS server with a certificate from a private authority, and services that may call
    /// it.
    private struct Rig {
        let suite: SuiteFixture.Suite
        /// The host and port of the TLS server.
        let listed: String
        let receiver: ServiceProcess
        let job: StartedJob

        /// Runs `body` with a job that has ended without finding any book. The receiver responds with `statuses`.
        static func run(_ statuses: [Int], _ body: (Rig) async throws -> Void) async throws {
            let port = try await FreePort.find()
            let network = try TLSAndProxy()
            try network.passOn(to: "http://127.0.0.1:\(port)")
            let listed = "127.0.0.1:\(network.places.tls)"
            let options = SuiteFixture.Suite.Options(
                settings: [
                    "BOOKSTRACK_CA_FILE": network.places.authority,
                    "BOOKSTRACK_WEBHOOK_HOSTS": listed, "BOOKSTRACK_WEBHOOK_SECRET": WebhookTests.secret,
                ], emulatorArguments: ["--synthetic", "\(WebhookTests.books)"])
            try await SuiteFixture.Suite.run(options) { suite in
                let script = URL(filePath: #filePath).appending(path: "../Clients/webhook_receiver.py")
                let receiver = ServiceProcess(
                    executable: "/usr/bin/env",
                    arguments: ["python3", script.standardizedFileURL.path, "\(port)", WebhookTests.secret]
                        + statuses.map(String.init),
                    environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
                    logPath: suite.directory.appending(path: "receiver.log").path)
                try await receiver.start()
                do {
                    try await body(Rig(suite, listed, receiver))
                } catch {
                    await receiver.end()
                    throw error
                }
                await receiver.end()
            }
            _ = try network.stop()
        }

        private init(_ suite: SuiteFixture.Suite, _ listed: String, _ receiver: ServiceProcess) async throws {
            (self.suite, self.listed, self.receiver) = (suite, listed, receiver)
            try await suite.emulator.setFaults(#"[{"kind":"missing"}]"#)
            let isbns = try await SyntheticBooks.isbns(WebhookTests.books)
            var request = EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) })
            request.callbackUrl = "https://\(listed)/books?shelf=1"
            job = try await suite.api.start(request)
            var watcher = Watcher(suite, job)
            try await watcher.watch()
        }

        /// Retries all books; the providers now have them, and no cache remembers that they were missing.
        func improve() async throws {
            try await suite.forgetMissingBooks()
            #expect(try await suite.api.retry(job.jobId, token: job.token).retrying == WebhookTests.books)
        }

        /// The received webhooks, once there are `count`.
        func arrivals(_ count: Int) async throws -> [Arrival] {
            try await lines(of: receiver, until: { $0.count >= count }).map {
                try JSONDecoder().decode(Arrival.self, from: Data($0.utf8))
            }
        }

        /// The complete lines that a process has written, once they satisfy `isEnough`.
        func lines(of process: ServiceProcess, until isEnough: ([Substring]) -> Bool) async throws -> [Substring] {
            let deadline = ContinuousClock.now + .seconds(90)
            while ContinuousClock.now < deadline {
                let lines = process.log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                if isEnough(Array(lines)) { return Array(lines) }
                try await Task.sleep(for: .milliseconds(50))
            }
            throw ServiceProcess.Failure(description: "the process wrote too few lines: \(process.log.suffix(2_000))")
        }

        /// The number of webhooks that are still on disk.
        func waiting() throws -> Int? {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            return try DatabaseQueue(path: suite.dataDirectory + "/jobs.sqlite", configuration: configuration).read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM webhook")
            }
        }
    }

    @Test(
        "a round of retries sends one frame to an open stream and one signed webhook, which is resent after a failure"
    )
    func tells() async throws {
        try await Rig.run([500, 204]) { rig in
            let stream = ServiceProcess(
                executable: "/usr/bin/env",
                arguments: [
                    "curl", "-sN", "-H", "Authorization: Bearer \(rig.job.token)",
                    "\(rig.suite.address)/v1/jobs/\(rig.job.jobId)/events?follow=results",
                ], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
                logPath: rig.suite.directory.appending(path: "stream.log").path)
            try await stream.start()
            _ = try await rig.lines(of: stream) { $0.contains("event: job_complete") }
            try await rig.improve()
            let events = try await rig.lines(of: stream) { $0.contains("event: results_updated") }
            #expect(events.contains { $0.contains("We found more metadata for \(Self.books) books.") })
            let ids = Set(events.filter { $0.hasPrefix("id: ") })
            #expect(ids.count == 1, "the frame does not have the number of the terminal event")

            let arrivals = try await rig.arrivals(2)
            #expect(arrivals.map(\.signed) == [true, true])
            #expect(arrivals.map(\.isCurrent) == [true, true])
            #expect(Set(arrivals.map(\.id)).count == 1)
            #expect(Set(arrivals.map(\.body)).count == 1)
            #expect(arrivals[0].path == "/books?shelf=1")
            #expect(arrivals[0].type == "application/json")
            let body = try arrivals[0].content()
            #expect(body.id == arrivals[0].id)
            #expect(body.type == "results_updated")
            #expect(body.jobId == rig.job.jobId.text)
            #expect(body.improved == Self.books)
            #expect(body.resultsUrl == rig.job.resultsUrl)
            #expect(body.resultsRevision == (try await rig.suite.api.results(of: rig.job.jobId).resultsRevision))
            while try rig.waiting() != 0 { try await Task.sleep(for: .milliseconds(50)) }
            #expect(stream.log.components(separatedBy: "event: results_updated").count == 2)
            #expect(stream.isAlive, "the stream did not stay open")
            await stream.end()
        }
    }

    @Test("no webhook is lost if progress-host or the worker is killed, and a resent webhook has the same id and body")
    func survivesKills() async throws {
        try await Rig.run([0, 204]) { rig in
            try await rig.improve()
            while try await rig.suite.api.results(of: rig.job.jobId).resultsRevision < 2 {
                try await Task.sleep(for: .milliseconds(10))
            }
            await rig.suite.host.end(SIGKILL)
            try await rig.suite.host.start()
            // The receiver does not respond to this webhook, so the worker is killed while it waits for a response.
            _ = try await rig.arrivals(1)
            await rig.suite.worker.end(SIGKILL)
            await rig.suite.host.end(SIGKILL)
            try await rig.suite.host.start()
            try await rig.suite.worker.start()
            // A kill can also follow the second response, before its outcome is recorded; then the webhook is sent again.
            let arrivals = try await rig.arrivals(2)
            #expect(arrivals.allSatisfy { $0.signed })
            #expect(Set(arrivals.map(\.id)).count == 1)
            #expect(Set(arrivals.map(\.body)).count == 1)
            #expect(try arrivals[0].content().improved == Self.books)
            while try rig.waiting() != 0 { try await Task.sleep(for: .milliseconds(50)) }
        }
    }

    @Test("a start with a webhook URL whose host or port is not allowed is refused")
    func unlisted() async throws {
        try await Rig.run([204]) { rig in
            var request = EnrichmentBatchRequest(books: [BookQuery(title: "Dune")])
            for url in ["https://127.0.0.1:1/", "https://127.0.0.1/", "https://hooks.example.org/"] {
                request.callbackUrl = url
                await #expect(throws: APIRefusal.self) { try await rig.suite.api.start(request) }
            }
        }
    }
}

extension SuiteFixture.Suite {
    /// Clears the emulator's faults, and restarts the worker without its cache, which remembers which books were missing.
    func forgetMissingBooks() async throws {
        await worker.end(SIGKILL)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: "\(dataDirectory)/cache.sqlite\(suffix)")
        }
        try await emulator.clearFaults()
        try await worker.start()
        try await waitUntilReady()
    }
}
