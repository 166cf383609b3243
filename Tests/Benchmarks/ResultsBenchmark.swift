import ArgumentParser
import BookstrackContract
import Foundation
import NIOCore
import NIOPosix
import Subprocess
import SuiteFixture
import WireClient

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Many concurrent readers of results, and their effect on live frames.
struct ResultsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Many concurrent reads of results, alongside live frames")

    @Option(help: "Number of concurrent reads of a job of 100 books.")
    var small = 1_000
    @Option(help: "Number of concurrent reads of a large job.")
    var large = 150
    @Option(help: "Number of books in the large job.")
    var books = 10_000
    @Option(
        help:
            "Duration of the live frames (200 a second over 20 jobs), in seconds; all reads take about as long."
    )
    var seconds = 28
    @Option(help: "Number of rounds, with and without reads; the result is the median of their ratios.")
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
                disturbed.report("item recorded -> frame received, during reads")
                ratios.append(disturbed.microseconds(99) / undisturbed.microseconds(99))
                Figure(name: "p99 during reads, relative to the undisturbed one", value: ratios.last ?? 0, unit: "x")
                    .report()
            }
            Figure(
                name: "median of these ratios", value: ratios.sorted()[ratios.count / 2], unit: "x", target: 2
            ).report()
            let ends = suite.proxy.log.split(separator: "\n").count {
                $0.contains("\"disconnected\"") && $0.contains("progress-host.sock")
            }
            Figure(name: "connections to progress-host that dropped", value: Double(ends), unit: "", target: 0).report()
        }
    }

    private func frames(_ suite: Suite) async throws -> Latencies {
        try await DeliveryBenchmark.latencies(suite, jobs: 20, rate: 200, seconds: seconds)
    }

    /// Reads in a separate process, as real clients do: reading in the process that follows the frames would delay
    /// their measurement.
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
        Figure(name: "complete reads", value: Double(outcomes.whole), unit: "").report()
        Figure(name: "reads refused with 503 and Retry-After", value: Double(outcomes.refused), unit: "").report()
        Figure(name: "other reads", value: Double(outcomes.broken), unit: "", target: 0).report()
        for (fault, count) in outcomes.faults.sorted(by: { $0.value > $1.value }) { print("    \(count) x \(fault)") }
        Figure(name: "duration of all reads", value: outcomes.seconds, unit: "s").report()
        Figure(
            name: "total read rate", value: Double(outcomes.bytes >> 20) / outcomes.seconds, unit: "MiB/s"
        ).report()
    }
}

/// Reads the results of jobs concurrently, and prints the outcomes as JSON.
struct ReadResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read-results", shouldDisplay: false)

    @Option var port: Int
    @Option(help: "A job and the number of reads, as JOB:NUMBER.")
    var read: [String] = []

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let client = HTTPClient(
            address: ServerAddress(host: "127.0.0.1", port: port), group: group,
            maximumIdleConnections: 0)
        var jobs: [(id: JobID, size: Int, readings: Int)] = []
        for pair in read.map({ $0.split(separator: ":") }) {
            guard pair.count == 2, let id = JobID(String(pair[0])), let readings = Int(pair[1]) else {
                throw ValidationError("--read requires JOB:NUMBER")
            }
            jobs.append((id, try await ReadingOutcomes.size(of: id, client), readings))
        }
        let begun = ContinuousClock.now
        var outcomes = await withTaskGroup(of: ReadingOutcomes.self) { group in
            for job in jobs {
                for _ in 0..<job.readings { group.addTask { await .read(job.id, size: job.size, client) } }
            }
            return await group.reduce(into: ReadingOutcomes()) { $0 += $1 }
        }
        outcomes.seconds = (ContinuousClock.now - begun) / .seconds(1)
        print(String(decoding: try JSONEncoder().encode(outcomes), as: UTF8.self))
        await client.shutdown()
        try await group.shutdownGracefully()
    }
}

/// Outcomes of the reads.
struct ReadingOutcomes: Codable, Sendable {
    var whole = 0
    var refused = 0
    var bytes = 0
    /// Time from the start of the first read to the end of the last one.
    var seconds = 0.0
    /// All other outcomes, by kind.
    var faults: [String: Int] = [:]

    var broken: Int { faults.values.reduce(0, +) }

    static func += (all: inout Self, one: Self) {
        all.whole += one.whole
        all.refused += one.refused
        all.bytes += one.bytes
        all.faults.merge(one.faults, uniquingKeysWith: +)
    }

    /// Length of a job's results, in bytes.
    static func size(of job: JobID, _ client: HTTPClient) async throws -> Int {
        try await client.send(call(job)).body.readableBytes
    }

    /// Reads a job's results once. Complete results have about `size` bytes: only the number of digits in the processing time varies.
    static func read(_ job: JobID, size: Int, _ client: HTTPClient) async -> Self {
        var outcome = ReadingOutcomes()
        do {
            let answer = try await client.send(call(job))
            outcome.bytes = answer.body.readableBytes
            if answer.status == 200, abs(outcome.bytes - size) < 64 {
                outcome.whole = 1
            } else if answer.status == 503, answer.retryAfterSeconds != nil {
                outcome.refused = 1
            } else {
                outcome.faults["\(answer.status) with \(outcome.bytes) bytes"] = 1
            }
        } catch {
            outcome.faults["\(error)"] = 1
        }
        return outcome
    }

    private static func call(_ job: JobID) -> HTTPCall { .get(APIPath.results(job), timeout: .seconds(300)) }
}
