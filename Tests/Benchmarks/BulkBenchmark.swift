import ArgumentParser
import BookstrackContract
import NIOCore
import SuiteFixture
import WireClient

/// 1 500 ISBNs end to end, with an emulator that adds no latency and with politeness turned off.
struct BulkBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulk", abstract: "1 500 ISBNs with politeness turned off")

    @Option(help: "Number of books in the job.")
    var books = 1_500
    @Option(help: "Number of runs, each with new services and an empty cache.")
    var runs = 3

    func run() async throws {
        for run in 1...runs {
            let options = Suite.Options(
                settings: ["BOOKSTRACK_MAX_BATCH_BOOKS": "10000", "BOOKSTRACK_LOG_LEVEL": "warning"],
                emulatorArguments: ["--synthetic", "\(books)"])
            try await Suite.run(options) { suite in
                let isbns = try await SyntheticBooks.isbns(books)
                let started = ContinuousClock.now
                let outcome = try await BulkRun.run(suite, isbns: isbns)
                let seconds = (outcome.completedAt - started).seconds
                Figure(
                    name: "\(books) ISBNs, emulator without latency, run \(run) (\(outcome.succeeded) found)",
                    value: seconds,
                    unit: "s", target: 1
                ).report()
            }
        }
    }
}

/// 1 500 ISBNs end to end, with a latency of 100 ms and the politeness that the real providers require.
struct PoliteBulkBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "polite", abstract: "1 500 ISBNs, 100 ms latency, 3 requests/s")

    @Option(help: "Number of books in the job.")
    var books = 1_500

    func run() async throws {
        let options = Suite.Options(
            settings: [
                "BOOKSTRACK_MAX_BATCH_BOOKS": "10000", "BOOKSTRACK_LOG_LEVEL": "warning",
                "BOOKSTRACK_OPEN_LIBRARY_REQUESTS_PER_SECOND": "3", "BOOKSTRACK_GOOGLE_BOOKS_DAILY_BUDGET": "1000",
            ], emulatorArguments: ["--synthetic", "\(books)", "--latency", "100"])
        try await Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(books)
            let started = ContinuousClock.now
            let outcome = try await BulkRun.run(suite, isbns: isbns)
            Figure(
                name: "\(books) ISBNs with politeness: editions (\(outcome.succeeded) found)",
                value: (outcome.completedAt - started).seconds, unit: "s", target: 25
            ).report()
            let finished = try await BulkRun.waitForWorkFacts(suite, outcome, limit: .seconds(90))
            Figure(
                name: "\(books) ISBNs with politeness: work facts", value: (finished - started).seconds, unit: "s",
                target: 45
            ).report()
            print("emulator: \(try await suite.emulator.stats())")
        }
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// One large job through the public API, watched until its end.
struct BulkRun {
    struct Outcome {
        var job: StartedJob
        var succeeded: Int
        var completedAt: ContinuousClock.Instant
    }

    static func run(_ suite: Suite, isbns: [String]) async throws -> Outcome {
        let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
        let end = try await suite.completion(of: job.jobId, job.token)
        return Outcome(job: job, succeeded: end.successCount, completedAt: .now)
    }

    /// Waits until every found book has the facts from its work.
    static func waitForWorkFacts(
        _ suite: Suite, _ outcome: Outcome, limit: Duration
    ) async throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let results = try await suite.api.results(of: outcome.job.jobId)
            let lacking = results.enrichedBooks.filter { $0.success && $0.enriched?.work.firstPublicationYear == nil }
            if lacking.isEmpty { return .now }
            try await Task.sleep(for: .milliseconds(500))
        }
        throw ServiceProcess.Failure(description: "work facts did not arrive within \(limit)")
    }
}

extension Suite {
    /// Watches a job until its completion.
    func completion(of job: JobID, _ token: String) async throws -> JobCompletePayload {
        let socket = try await ProgressSocket.connect(to: address, path: "\(APIPath.websocket(job))&token=\(token)")
        try await socket.send(text: #"{"type":"ready"}"#)
        for await event in socket.events {
            if let message = event.message, case .complete(let payload) = try ProgressFrame(message).content {
                try? await socket.close()
                return payload
            }
        }
        throw ServiceProcess.Failure(description: "the socket closed before job \(job) was complete")
    }
}
