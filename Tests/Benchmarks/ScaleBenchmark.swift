import ArgumentParser
import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import ProgressClient
import SuiteFixture
import SuiteMethods

/// As many sockets as the suite allows, including slow readers, and their recovery after a restart of each process.
struct ScaleBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "10 000 sockets and 1 000 slow readers; a storm of reconnects per process")

    @Option(help: "Sockets that read; each process may open 20 000 files.")
    var sockets = 10_000
    @Option(help: "Jobs that they are spread over.")
    var jobs = 1_000
    @Option(help: "Sockets that do not read while their jobs go on.")
    var slow = 1_000
    @Option(help: "Frames that each slow reader is sent meanwhile.")
    var frames = 400

    /// Number of jobs that slow readers watch.
    private static let slowJobs = 20

    func run() async throws {
        try await Suite.run(options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let crowd = SocketCrowd(suite.address)
            let paths = try await IdleSockets.paths(jobs: jobs, puppet)
            try await open(crowd, (0..<sockets).map { paths[$0 % paths.count] }, "sockets opened")
            let undisturbed = try await roundTrip(crowd)
            report("pings of all sockets answered", undisturbed, "s")
            try await slowReaders(suite, puppet)
            report("pings of all sockets answered, afterwards", try await roundTrip(crowd), "s")
            try await restartHost(suite, crowd)
            try await suite.worker.start()
            await suite.worker.end()
            report("pings answered after a restart of the worker", try await roundTrip(crowd), "s")
            try await restartProxy(suite, crowd)
            await crowd.leave()
            await puppet.disconnect()
        }
    }

    private var options: Suite.Options {
        Suite.Options(settings: [
            "BOOKSTRACK_MAX_SOCKETS": "\(sockets + slow + 500)", "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000",
            "BOOKSTRACK_MAX_SOCKETS_PER_JOB": "1000", "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0",
            "BOOKSTRACK_MAX_BATCH_BOOKS": "10000", "BOOKSTRACK_LOG_LEVEL": "warning",
        ])
    }

    /// Opens a few hundred sockets at a time, within the listener's backlog.
    private func open(_ crowd: SocketCrowd, _ paths: [String], _ what: String) async throws {
        let begun = ContinuousClock.now
        for start in stride(from: 0, to: paths.count, by: 500) {
            let end = min(start + 500, paths.count)
            crowd.join(Array(paths[start..<end]))
            try await crowd.wait(for: what, within: .seconds(60)) { $0.open == end }
        }
        report(what, ContinuousClock.now - begun, "s")
    }

    private func roundTrip(_ crowd: SocketCrowd) async throws -> Duration {
        let (before, open) = (crowd.counts.pongs, crowd.counts.open)
        let begun = ContinuousClock.now
        await crowd.ping()
        try await crowd.wait(for: "pongs", within: .seconds(60)) { $0.pongs >= before + open }
        return ContinuousClock.now - begun
    }

    /// Sockets that do not read while frames are sent to them, and then read what was kept.
    private func slowReaders(_ suite: Suite, _ puppet: WorkerPuppet) async throws {
        let crowd = SocketCrowd(suite.address)
        var (jobs, paths): (Set<JobID>, [String]) = ([], [])
        for _ in 0..<Self.slowJobs {
            let id = JobID.random()
            jobs.insert(id)
            paths.append("/ws/progress?jobId=\(id)&token=\(try await puppet.createJob(id, count: frames))")
        }
        let (starts, start) = AsyncStream<Void>.makeStream()
        let gate = Task { for await _ in starts {} }
        crowd.join((0..<slow).map { paths[$0 % paths.count] }) { await gate.value }
        try await crowd.wait(for: "slow readers", within: .seconds(60)) { [slow] in $0.open == slow }
        let before = try usage(suite)
        var latencies = Latencies()
        let items = try await claim(jobs, puppet)
        for first in stride(from: 0, to: items.count, by: Self.slowJobs) {
            let begun = ContinuousClock.now
            try await puppet.record(items[first..<min(first + Self.slowJobs, items.count)])
            latencies.record(ContinuousClock.now - begun)
        }
        let after = try usage(suite)
        latencies.report("\(Self.slowJobs) items recorded, each for \(slow / Self.slowJobs) slow readers")
        Figure(
            name: "api-proxy, growth per slow reader", value: Double(after.proxy - before.proxy) / Double(slow) / 1_024,
            unit: "KiB", reach: 320
        ).report()
        start.finish()
        try await crowd.wait(for: "ends of slow readers", within: .seconds(120)) { [slow] in
            $0.completed >= slow - ($0.ends[CloseCode.tryAgainLater.rawValue] ?? 0)
        }
        Figure(name: "slow readers that got their job's end", value: Double(crowd.counts.completed), unit: "").report()
        Figure(
            name: "slow readers that were closed with 1013",
            value: Double(crowd.counts.ends[CloseCode.tryAgainLater.rawValue] ?? 0), unit: ""
        ).report()
        await crowd.leave()
    }

    /// Every item of some jobs: the first of each job, then the second of each, and so on.
    private func claim(_ jobs: Set<JobID>, _ puppet: WorkerPuppet) async throws -> [ClaimedItem] {
        var items: [ClaimedItem] = []
        while items.count < frames * jobs.count {
            items += try await puppet.claim(limit: 500, perJob: 10_000).filter { jobs.contains($0.key.jobId) }
        }
        return items.sorted { $0.key.index < $1.key.index }
    }

    /// The sockets stay open, and the new process resumes them.
    private func restartHost(_ suite: Suite, _ crowd: SocketCrowd) async throws {
        let open = crowd.counts.open
        await suite.host.end()
        let begun = ContinuousClock.now
        try await suite.host.start()
        _ = try await roundTrip(crowd)
        report("from a start of progress-host to a ping answered on all sockets", ContinuousClock.now - begun, "s")
        Figure(name: "sockets that were lost with it", value: Double(open - crowd.counts.open), unit: "", reach: 0)
            .report()
    }

    /// All clients reconnect at once.
    private func restartProxy(_ suite: Suite, _ crowd: SocketCrowd) async throws {
        let (before, open) = (crowd.counts, crowd.counts.open)
        await suite.proxy.end()
        try await crowd.wait(for: "lost sockets", within: .seconds(30)) { $0.open == 0 }
        let begun = ContinuousClock.now
        try await suite.proxy.start()
        try await crowd.wait(for: "reconnected sockets", within: .seconds(120)) {
            $0.open == open && $0.reconnected - before.reconnected >= open
        }
        report("from a start of api-proxy to \(open) sockets reconnected", ContinuousClock.now - begun, "s")
        for (reason, count) in crowd.counts.refusals { print("    \(count) x \(reason)") }
        report("pings of all sockets answered, afterwards", try await roundTrip(crowd), "s")
    }

    private func usage(_ suite: Suite) throws -> (proxy: Int, host: Int) {
        (
            try KernelUsage(pid: suite.proxy.pid ?? 0).resident, try KernelUsage(pid: suite.host.pid ?? 0).resident
        )
    }

    private func report(_ name: String, _ time: Duration, _ unit: String) {
        Figure(name: name, value: time / .seconds(1), unit: unit).report()
    }
}
