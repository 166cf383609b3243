import ArgumentParser
import BookstrackContract
import NIOCore
import NIOPosix
import ProgressClient
import SuiteFixture

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
    @Option(help: "Seconds of live frames, 200 a second over 20 jobs.")
    var seconds = 10

    func run() async throws {
        var options = DeliveryBenchmark.options
        options.settings["BOOKSTRACK_LOG_LEVEL"] = "notice"
        options.settings["BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS"] = "5000"
        try await Suite.run(options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let jobs = [try await puppet.finishJob(count: 100), try await puppet.finishJob(count: books)]
            await puppet.disconnect()
            let undisturbed = try await frames(suite)
            let reading = Task { try await read(jobs, suite) }
            let disturbed = try await frames(suite)
            reading.cancel()
            let outcomes = try await reading.value
            report(outcomes)
            undisturbed.report("item recorded -> frame received, undisturbed")
            disturbed.report("item recorded -> frame received, beside readings")
            Figure(
                name: "p99 beside readings, times the undisturbed one",
                value: disturbed.microseconds(99) / undisturbed.microseconds(99), unit: "x", reach: 2
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

    /// Reads in rounds, each all at once, until it is cancelled; at least one round.
    private func read(_ jobs: [JobID], _ suite: Suite) async throws -> ReadingOutcomes {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let client = HTTPClient(
            address: suite.address, group: group, limits: HTTPClientLimits(maximumIdleConnections: 0))
        var outcomes = ReadingOutcomes()
        let sizes = try await [
            ReadingOutcomes.size(of: jobs[0], client), ReadingOutcomes.size(of: jobs[1], client),
        ]
        let begun = ContinuousClock.now
        repeat {
            let (small, large) = (small, large)
            // What is under way when the frames have been measured still comes to its end.
            let round = Task {
                await withTaskGroup(of: ReadingOutcomes.self) { readings in
                    for number in 0..<(small + large) {
                        let kind = number < small ? 0 : 1
                        readings.addTask { await .read(jobs[kind], size: sizes[kind], client) }
                    }
                    return await readings.reduce(into: ReadingOutcomes()) { $0 += $1 }
                }
            }
            outcomes += await round.value
        } while !Task.isCancelled
        outcomes.time = ContinuousClock.now - begun
        await client.shutdown()
        try await group.shutdownGracefully()
        return outcomes
    }

    private func report(_ outcomes: ReadingOutcomes) {
        Figure(name: "readings that were whole", value: Double(outcomes.whole), unit: "").report()
        Figure(name: "readings that were 503 with Retry-After", value: Double(outcomes.refused), unit: "").report()
        Figure(name: "other readings", value: Double(outcomes.broken), unit: "", reach: 0).report()
        for (fault, count) in outcomes.faults.sorted(by: { $0.value > $1.value }) { print("    \(count) x \(fault)") }
        Figure(
            name: "read in all", value: Double(outcomes.bytes >> 20) / (outcomes.time / .seconds(1)), unit: "MiB/s"
        ).report()
    }
}

/// What became of readings.
struct ReadingOutcomes: Sendable {
    var whole = 0
    var refused = 0
    var bytes = 0
    var time = Duration.zero
    /// Everything else, by what it was.
    var faults: [String: Int] = [:]

    var broken: Int { faults.values.reduce(0, +) }

    static func += (all: inout Self, one: Self) {
        all.whole += one.whole
        all.refused += one.refused
        all.bytes += one.bytes
        all.faults.merge(one.faults, uniquingKeysWith: +)
    }

    /// Length of a job's results.
    static func size(of job: JobID, _ client: HTTPClient) async throws -> Int {
        try await client.send(call(job)).body.readableBytes
    }

    /// Reads a job's results once, whose length is known but for the digits of some times.
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

    private static func call(_ job: JobID) -> HTTPCall { .get(APIPath.results(job), timeout: .seconds(120)) }
}
