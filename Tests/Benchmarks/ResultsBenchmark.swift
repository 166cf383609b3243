import ArgumentParser
import BookstrackContract
import Foundation
import ProgressClient
import Subprocess
import SuiteFixture

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Many results read at once, and what live frames feel of it.
struct ResultsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Many readings of results at once, beside live frames")

    @Option(help: "Readings at once of a job of 100 books.")
    var small = 1_000
    @Option(help: "Readings at once of a large job.")
    var large = 150
    @Option(help: "Books of the large job.")
    var books = 10_000
    @Option(help: "Seconds of live frames, 200 a second over 20 jobs; all readings take about as long.")
    var seconds = 28
    @Option(help: "Rounds of live frames without and with readings; the median is the figure.")
    var rounds = 3

    func run() async throws {
        var options = DeliveryBenchmark.options
        options.settings["BOOKSTRACK_LOG_LEVEL"] = "notice"
        options.settings["BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS"] = "5000"
        try await Suite.run(options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let jobs = [try await puppet.finishJob(count: 100), try await puppet.finishJob(count: books)]
            await puppet.disconnect()
            var ratios: [Double] = []
            for _ in 0..<rounds {
                let undisturbed = try await frames(suite)
                async let reading = read(jobs, suite)
                let disturbed = try await frames(suite)
                report(try await reading)
                undisturbed.report("item recorded -> frame received, undisturbed")
                disturbed.report("item recorded -> frame received, beside readings")
                ratios.append(disturbed.microseconds(99) / undisturbed.microseconds(99))
                Figure(name: "p99 beside readings, times the undisturbed one", value: ratios.last ?? 0, unit: "x")
                    .report()
            }
            Figure(
                name: "median of those", value: ratios.sorted()[ratios.count / 2], unit: "x", reach: 2
            ).report()
            let ends = suite.proxy.log.split(separator: "\n").count {
                $0.contains("\"disconnected\"") && $0.contains("progress-host.sock")
            }
            Figure(name: "connections to progress-host that dropped", value: Double(ends), unit: "", reach: 0).report()
        }
    }

    private func frames(_ suite: Suite) async throws -> Latencies {
        try await DeliveryBenchmark.latencies(suite, jobs: 20, rate: 200, seconds: seconds)
    }

    /// Reads in a process of its own, as clients are: in the one that follows the frames they would be measured late.
    private func read(_ jobs: [JobID], _ suite: Suite) async throws -> ReadingOutcomes {
        let result = try await Subprocess.run(
            .path(FilePath(BuiltProduct.benchmarks.path)),
            arguments: Arguments([
                "read-results", "--port", "\(suite.address.port)", "--read",
                "\(jobs[0]):\(small)", "--read", "\(jobs[1]):\(large)",
            ]), output: .string(limit: 1 << 20),
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
        return try JSONDecoder().decode(ReadingOutcomes.self, from: Data(result.standardOutput.utf8))
    }

    private func report(_ outcomes: ReadingOutcomes) {
        Figure(name: "readings that were whole", value: Double(outcomes.whole), unit: "").report()
        Figure(name: "readings that were 503 with Retry-After", value: Double(outcomes.refused), unit: "").report()
        Figure(name: "other readings", value: Double(outcomes.broken), unit: "", reach: 0).report()
        for (fault, count) in outcomes.faults.sorted(by: { $0.value > $1.value }) { print("    \(count) x \(fault)") }
        Figure(name: "time of all readings", value: outcomes.seconds, unit: "s").report()
        Figure(
            name: "read in all", value: Double(outcomes.bytes >> 20) / outcomes.seconds, unit: "MiB/s"
        ).report()
    }
}
