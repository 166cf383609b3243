import ArgumentParser
import BookstrackContract
import SuiteFixture

/// Recording and delivery with a large database.
struct GrowthBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "Recording and delivery while many finished jobs are stored")

    @Option(help: "Number of finished jobs in the database.")
    var finished = 10_000
    @Option(help: "Number of items in each finished job.")
    var items = 100

    func run() async throws {
        try await Suite.run(DeliveryBenchmark.options) { suite in
            await suite.worker.end()
            let empty = try await measure(suite)
            print("storing \(finished) jobs of \(items) items ...")
            for _ in 0..<(finished / 100) {
                _ = try await RecordingBenchmark.rate(
                    runtimeDirectory: suite.runtimeDirectory, jobs: 100, items: items)
            }
            let full = try await measure(suite)
            report(
                "item recorded -> frame received, p50", empty.p50, full.p50, unit: "us", slower: full.p50 / empty.p50)
            report(
                "item recorded -> frame received, p99", empty.p99, full.p99, unit: "us", slower: full.p99 / empty.p99)
            report("items recorded by one host", empty.rate, full.rate, unit: "/s", slower: empty.rate / full.rate)
        }
    }

    private func measure(_ suite: Suite) async throws -> (p50: Double, p99: Double, rate: Double) {
        let latencies = try await DeliveryBenchmark.latencies(suite, jobs: 100, rate: 1_000, seconds: 5)
        let rate = try await RecordingBenchmark.rate(
            runtimeDirectory: suite.runtimeDirectory, jobs: 100, items: 1_000)
        return (latencies.microseconds(50), latencies.microseconds(99), rate)
    }

    private func report(_ name: String, _ empty: Double, _ full: Double, unit: String, slower: Double) {
        Figure(name: "\(name), empty", value: empty, unit: unit).report()
        Figure(name: "\(name), \(finished * items) items stored", value: full, unit: unit).report()
        Figure(name: "\(name), ratio", value: slower, unit: "x", target: 1.2).report()
    }
}
