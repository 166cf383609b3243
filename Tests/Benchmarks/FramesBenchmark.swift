import ArgumentParser
import NIOCore
import NIOPosix
import SuiteFixture

/// How fast frames go out: at a steady rate, as fast as clients answer, and to many watchers of one job. Each is committed before it is sent.
struct FramesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames", abstract: "Frames at a rate, in closed loops, and to 1 000 watchers of one job")

    enum Part: String, CaseIterable, ExpressibleByArgument { case paced, loop, wide, fan }

    @Option(help: "paced, loop (100 x 1), wide (100 x 10) or fan (1 -> 1 000); all of them by default.")
    var part: Part?
    @Option(help: "Seconds of each part.")
    var seconds = 5

    func run() async throws {
        if part ?? .paced == .paced { try await paced() }
        if part ?? .loop == .loop { try await loop(watchers: 1, items: 500, reach: 30_000, Self.besideLoop) }
        if part ?? .wide == .wide { try await loop(watchers: 10, items: 200, reach: 115_000, Self.besideWide) }
        if part ?? .fan == .fan { try await fan(watchers: 1_000) }
    }

    private static let besidePaced =
        "limit p50 90, p99 200 (C, same commits); nchan 40, 93; durable: redis 138, 813, JetStream 161, 937"
    private static let besideLoop =
        "limit 18 800 (C, a commit each); nchan 80 800; durable: redis 56 500, JetStream 20 000 to 25 000"
    private static let besideWide = "nchan 168 000; durable: redis 155 000, JetStream 66 000 to 81 000"
    private static let besideFan = "socketify 3 100, 6 400; durable: redis 4 900, 10 800"

    private func paced() async throws {
        try await measure(jobs: 100, watchers: 1, items: 10 * seconds + 100) { run in
            let latencies = try await run.paced(rate: 1_000, seconds: seconds)
            latencies.report(
                "item recorded -> frame, 1 000/s over 100 jobs", p50: 180, p99: 700, beside: Self.besidePaced)
        }
    }

    /// - Parameter items: Of a job in a second; more than can be recorded.
    private func loop(watchers: Int, items: Int, reach: Double, _ beside: String) async throws {
        try await measure(jobs: 100, watchers: watchers, items: items * seconds) { run in
            let rate = try await run.closedLoop(for: .seconds(seconds))
            Figure(
                name: "closed loop, 100 jobs x \(watchers) watchers", value: rate, unit: "frames/s", reach: reach,
                direction: .atLeast, beside: beside
            ).report()
        }
    }

    private func fan(watchers: Int) async throws {
        try await measure(jobs: 1, watchers: watchers, items: 20 * seconds + 100) { run in
            let latencies = try await run.fan(rounds: 20 * seconds)
            latencies.report(
                "item recorded -> frame, 1 job x \(watchers) watchers", p50: 3_500, p99: 8_000,
                beside: Self.besideFan)
        }
    }

    /// Runs `body` with jobs that are watched, and prints what their frames cost.
    private func measure(jobs: Int, watchers: Int, items: Int, _ body: (FrameRun) async throws -> Void) async throws {
        try await Suite.run(SuiteFrames.options) { suite in
            await suite.worker.end()
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let frames = try await SuiteFrames(suite, jobs: jobs, items: items, watchers: watchers, on: group.next())
            let before = try processors(suite)
            try await body(frames.run)
            let after = try processors(suite)
            let count = try await frames.run.count
            for (index, process) in ["api-proxy", "progress-host"].enumerated() {
                Figure(
                    name: "    processor time per frame in \(process)",
                    value: (after[index] - before[index]) / Double(max(1, count.frames)) * 1_000_000, unit: "us"
                ).report()
            }
            Figure(
                name: "    frames lost, doubled or out of order of \(count.frames)", value: Double(count.misplaced),
                unit: "", reach: 0
            ).report()
            try await frames.end()
            try await group.shutdownGracefully()
        }
    }

    private func processors(_ suite: Suite) throws -> [Double] {
        try [suite.proxy, suite.host].map { try ProcessUsage(pid: $0.pid ?? 0).processorSeconds }
    }
}
