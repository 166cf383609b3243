import ArgumentParser
import BookstrackContract
import ProgressClient
import SuiteFixture

/// Polling every 500 ms compared with a WebSocket, for the same job of 100 books in one run.
struct PollingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "polling", abstract: "Polling every 500 ms against WebSocket")

    @Option(help: "Books of the job.")
    var books = 100
    @Option(help: "Books finished per second.")
    var pace = 10

    func run() async throws {
        try await Suite.run(Suite.Options(settings: ["BOOKSTRACK_LOG_LEVEL": "warning"])) { suite in
            await suite.worker.end()
            let polled = try await measure(suite, PollingViewer.watch)
            let pushed = try await measure(suite, PushViewer.watch)
            print("\(books) books, \(pace) per second   polling every 500 ms   WebSocket")
            line("requests", Double(polled.traffic.requests), Double(pushed.traffic.requests), "")
            line("bytes both ways", bytes(polled), bytes(pushed), "")
            line("server CPU (api-proxy + progress-host)", polled.cpu * 1_000, pushed.cpu * 1_000, "ms")
            line(
                "delay of news, median", polled.delays.microseconds(50) / 1_000, pushed.delays.microseconds(50) / 1_000,
                "ms")
            line(
                "delay of news, p99", polled.delays.microseconds(99) / 1_000, pushed.delays.microseconds(99) / 1_000,
                "ms")
        }
    }

    struct Outcome {
        var traffic: TrafficCounter.Totals
        var cpu: Double
        var delays: Latencies
    }

    /// Follows a job like a client: calls `news` with each count it receives, until the job has ended.
    typealias Viewer =
        @Sendable (
            _ suite: Suite, _ job: JobID, _ token: String, _ traffic: TrafficCounter, _ news: @Sendable (Int) -> Void
        ) async throws -> Void

    private func measure(_ suite: Suite, _ viewer: @escaping Viewer) async throws -> Outcome {
        let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
        let id = JobID.random()
        let token = try await puppet.createJob(id, count: books)
        let traffic = TrafficCounter()
        let timeline = Timeline()
        let before = try cpu(suite)
        async let watching: Void = viewer(suite, id, token, traffic) { timeline.learned($0) }
        let items = try await puppet.claim(limit: books)
        let started = ContinuousClock.now
        for (index, item) in items.enumerated() {
            try await Task.sleep(until: started + .milliseconds(index * 1_000 / pace), clock: .continuous)
            timeline.happened()
            try await puppet.record([item])
        }
        try await watching
        let used = try cpu(suite) - before
        await puppet.disconnect()
        return Outcome(traffic: traffic.totals, cpu: used, delays: timeline.delays)
    }

    private func cpu(_ suite: Suite) throws -> Double {
        try KernelUsage(pid: suite.proxy.pid ?? 0).processorSeconds
            + KernelUsage(pid: suite.host.pid ?? 0).processorSeconds
    }

    private func bytes(_ outcome: Outcome) -> Double {
        Double(outcome.traffic.sentBytes + outcome.traffic.receivedBytes)
    }

    private func line(_ name: String, _ polled: Double, _ pushed: Double, _ unit: String) {
        print("  \(name): \(Figure.format(polled)) \(unit) | \(Figure.format(pushed)) \(unit)")
    }
}
