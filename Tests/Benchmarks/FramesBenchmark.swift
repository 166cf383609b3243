import ArgumentParser
import BookstrackContract
import SuiteFixture
import SuiteMethods

/// The latency of frames at a steady rate and with many watchers of one job, and the frame rate if a job's next item is
/// recorded as soon as its watchers have received the previous frame. Each frame is committed before it is sent.
struct FramesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames", abstract: "Frames at a steady rate, in closed loops, and to 1 000 watchers of one job")

    enum Part: String, CaseIterable, ExpressibleByArgument { case paced, loop, wide, fan }

    @Option(help: "paced, loop (100 x 1), wide (100 x 10) or fan (1 -> 1 000); all of them by default.")
    var part: Part?
    @Option(help: "Duration of each part, in seconds.")
    var seconds = 5

    func run() async throws {
        if part ?? .paced == .paced { try await paced() }
        if part ?? .loop == .loop { try await loop(watchers: 1, items: 500, target: 30_000, Self.loopComparison) }
        if part ?? .wide == .wide { try await loop(watchers: 10, items: 200, target: 115_000, Self.wideComparison) }
        if part ?? .fan == .fan { try await fan(watchers: 1_000) }
    }

    static let pacedComparison =
        "limit p50 90, p99 200 (C, same commits); nchan 40, 93; durable: redis 138, 813, JetStream 161, 937"
    private static let loopComparison =
        "limit 18 800 (C, a commit each); nchan 80 800; durable: redis 56 500, JetStream 20 000 to 25 000"
    private static let wideComparison = "nchan 168 000; durable: redis 155 000, JetStream 66 000 to 81 000"
    private static let fanComparison = "socketify 3 100, 6 400; durable: redis 4 900, 10 800"

    private func paced() async throws {
        try await measure(jobs: 100, watchers: 1, items: 10 * seconds + 100) { run in
            let latencies = try await run.paced(rate: 1_000, seconds: seconds)
            latencies.report(
                "item recorded -> frame, 1 000/s over 100 jobs", p50: 180, p99: 700, comparison: Self.pacedComparison)
        }
    }

    /// - Parameter items: Number of items that each job has for each second of the measurement; more than can be recorded.
    private func loop(watchers: Int, items: Int, target: Double, _ comparison: String) async throws {
        try await measure(jobs: 100, watchers: watchers, items: items * seconds) { run in
            let rate = try await run.closedLoop(for: .seconds(seconds))
            Figure(
                name: "closed loop, 100 jobs x \(watchers) watchers", value: rate, unit: "frames/s", target: target,
                direction: .atLeast, comparison: comparison
            ).report()
        }
    }

    private func fan(watchers: Int) async throws {
        try await measure(jobs: 1, watchers: watchers, items: 20 * seconds + 100) { run in
            let latencies = try await run.fan(rounds: 20 * seconds)
            latencies.report(
                "item recorded -> frame, 1 job x \(watchers) watchers", p50: 3_500, p99: 8_000,
                comparison: Self.fanComparison)
        }
        let limit = try await MachineLimits.fan(watchers)
        limit.latencies.report("    limit: bare writes to \(watchers) connections")
        Figure(name: "    CPU time of a bare write", value: limit.processor * 1_000_000, unit: "us").report()
    }

    /// Runs `body` with watched jobs, and prints the CPU time per frame.
    private func measure(jobs: Int, watchers: Int, items: Int, _ body: (FrameRun) async throws -> Void) async throws {
        try await Suite.run(SuiteFrames.options) { suite in
            await suite.worker.end()
            let frames = try await SuiteFrames(suite, jobs: jobs, items: items, watchers: watchers)
            let time = try ProcessorTime(suite)
            try await body(frames.run)
            let count = try await frames.run.count
            try time.report("    CPU time per frame", per: count.frames)
            Figure(
                name: "    lost, duplicated or out of order, of \(count.frames) frames", value: Double(count.misplaced),
                unit: "", target: 0
            ).report()
            await frames.end()
        }
    }
}

/// Jobs whose items are recorded, and the clients that watch them, all on one loop.
// @unchecked Sendable: the variables are only used on the crowd's loop.
final class FrameRun: @unchecked Sendable {
    private let crowd: FrameCrowd
    private let watchers: Int
    private let items: Int
    private let recordItem: (_ job: Int, _ item: Int) -> Void
    private var loop: ClientLoop { crowd.loop }
    /// The next item of each job, and the number of watchers that have not received the previous one.
    private var next: [Int]
    private var unseen: [Int]
    private var sentAt: [ClientLoop.Instant]
    private var latencies = Latencies()
    private var isOver = false

    /// - Parameters:
    ///   - items: The number of items of each job.
    ///   - watchers: The number of watchers of each job; those of the first job come first in the crowd.
    ///   - record: Records an item of a job; called on the loop.
    init(_ crowd: FrameCrowd, jobs: Int, items: Int, watchers: Int, record: @escaping (Int, Int) -> Void) {
        self.crowd = crowd
        self.items = items
        self.watchers = watchers
        recordItem = record
        next = Array(repeating: 0, count: jobs)
        unseen = Array(repeating: 0, count: jobs)
        sentAt = Array(repeating: ClientLoop.now, count: jobs)
    }

    /// The frames that the watchers have received.
    var count: FrameCount {
        get async throws { try await loop.submit { self.crowd.count } }
    }

    private func record(_ job: Int) {
        let item = next[job]
        next[job] += 1
        unseen[job] = watchers
        sentAt[job] = ClientLoop.now
        recordItem(job, item)
    }

    /// Records items round-robin across the jobs, at a steady rate.
    func paced(rate: Int, seconds: Int) async throws -> Latencies {
        try await loop.submit {
            self.crowd.arrived = { client in
                let sent = self.sentAt[client / self.watchers]
                self.latencies.record(.nanoseconds(ClientLoop.now - sent))
            }
        }
        let started = ContinuousClock.now
        for sent in 0..<(rate * seconds) {
            let due = started + .nanoseconds(Int64(sent) * 1_000_000_000 / Int64(rate))
            if due > .now { try await Task.sleep(until: due, clock: .continuous) }
            loop.execute { self.record(sent % self.next.count) }
        }
        try await Task.sleep(for: .milliseconds(200))
        return try await loop.submit { self.latencies }
    }

    /// Records a job's next item once each of its watchers has received the previous frame; returns frames per second.
    func closedLoop(for time: Duration) async throws -> Double {
        let started = ContinuousClock.now
        try await loop.submit {
            self.crowd.arrived = { client in
                let job = client / self.watchers
                self.unseen[job] -= 1
                // The last item is never recorded, so no job ends.
                if self.unseen[job] == 0, !self.isOver, self.next[job] < self.items - 1 { self.record(job) }
            }
            for job in self.next.indices { self.record(job) }
        }
        try await Task.sleep(for: time)
        let frames = try await loop.submit {
            self.isOver = true
            return self.crowd.count.frames
        }
        let elapsed = ContinuousClock.now - started
        try await Task.sleep(for: .milliseconds(200))
        return Double(frames) / elapsed.seconds
    }

    /// Records the only job's next item 10 ms after the last watcher has received the previous frame; returns the latency of each frame.
    func fan(rounds: Int) async throws -> Latencies {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            loop.execute {
                var left = rounds
                self.crowd.arrived = { _ in
                    self.latencies.record(.nanoseconds(ClientLoop.now - self.sentAt[0]))
                    self.unseen[0] -= 1
                    guard self.unseen[0] == 0 else { return }
                    left -= 1
                    if left == 0 { return done.resume() }
                    self.loop.schedule(inMilliseconds: 10) { self.record(0) }
                }
                self.record(0)
            }
        }
        return try await loop.submit { self.latencies }
    }
}

/// Jobs with claimed items in running services, and clients on their sockets.
struct SuiteFrames {
    let run: FrameRun
    private let loop = ClientLoop()
    private let crowd: FrameCrowd
    private let link: OutcomeConnection
    private let puppet: WorkerPuppet

    /// The throttle is off, so every item has a frame.
    static var options: Suite.Options {
        var options = DeliveryBenchmark.options
        options.settings["BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS"] = "20000"
        options.settings["BOOKSTRACK_MAX_SOCKETS_PER_JOB"] = "1000"
        return options
    }

    init(_ suite: Suite, jobs: Int, items: Int, watchers: Int) async throws {
        puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
        crowd = FrameCrowd(suite.address, on: loop)
        link = try await OutcomeConnection(runtimeDirectory: suite.runtimeDirectory, on: loop)
        var (ids, readers): ([JobID], [WebSocketReader]) = ([], [])
        for _ in 0..<jobs {
            let id = JobID.random()
            ids.append(id)
            let path = "/ws/progress?jobId=\(id)&token=\(try await puppet.createJob(id, count: items))"
            readers += Array(repeating: WebSocketReader(path, at: suite.address), count: watchers)
        }
        let claimed = try await puppet.claimAll(ids, count: items)
        try await crowd.join(readers)
        run = FrameRun(crowd, jobs: jobs, items: items, watchers: watchers) { [link] in link.record(claimed[$0][$1]) }
    }

    func end() async {
        loop.end()
        await puppet.disconnect()
    }
}
