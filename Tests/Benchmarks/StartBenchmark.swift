import ArgumentParser
import BookstrackContract
import SuiteFixture
import WireClient

/// The time from a `POST` to its 202, which is sent once the job is on disk.
struct StartBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "start", abstract: "POST -> 202 (on disk)")

    @Option(help: "Starts per second.")
    var rate = 200
    @Option(help: "Duration, in seconds.")
    var seconds = 10
    @Option(help: "Number of books in a job.")
    var books = 10

    func run() async throws {
        let options = Suite.Options(settings: ["BOOKSTRACK_LOG_LEVEL": "warning"])
        try await Suite.run(options) { suite in
            let request = EnrichmentBatchRequest(
                books: (0..<books).map { BookQuery(title: "Book \($0)", author: "Author", isbn: "9780441478125") })
            let latencies = try await Paced.run(count: rate * seconds, perSecond: rate) {
                _ = try await suite.api.start(request)
            }
            latencies.report("POST -> 202 at \(rate) jobs/s", p50: 2_000, p99: 10_000)
        }
    }
}

/// Runs an operation at a steady rate, whether or not earlier runs have ended, and measures each run from its start.
enum Paced {
    static func run(
        count: Int, perSecond: Int, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Latencies {
        let started = ContinuousClock.now
        return try await withThrowingTaskGroup(of: Duration.self) { group in
            for index in 0..<count {
                let due = started + .nanoseconds(Int64(index) * 1_000_000_000 / Int64(perSecond))
                if due > .now { try await Task.sleep(until: due, clock: .continuous) }
                group.addTask {
                    let begun = ContinuousClock.now
                    try await body()
                    return ContinuousClock.now - begun
                }
            }
            var latencies = Latencies()
            for try await duration in group { latencies.record(duration) }
            return latencies
        }
    }
}
