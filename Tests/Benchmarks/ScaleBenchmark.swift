import ArgumentParser
import BookstrackContract
import Foundation
import JSONRPC
import NIOConcurrencyHelpers
import SuiteFixture
import SuiteMethods
import WireClient

/// Many WebSockets or event streams, including slow readers, and their recovery after a restart of each process.
struct ScaleBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "10 000 connections, their recovery after a restart of each process, and 1 000 slow readers"
    )

    @OptionGroup var idle: IdleSocketOptions
    @Option(help: "Number of connections that do not read while their jobs continue.")
    var slow = 1_000
    @Option(help: "Number of frames sent to each slow reader during that time.")
    var frames = 400

    /// Number of jobs that slow readers watch.
    private static let slowJobs = 20

    func run() async throws {
        try await Suite.run(options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let crowd = idle.crowd(at: suite.address)
            let jobs = try await IdleJob.create(idle.jobs, puppet)
            let items = try await puppet.claimAll(jobs.map(\.id), count: IdleJob.items)
            var rounds = items[0].indices.makeIterator()
            func check(_ situation: String) async throws {
                guard let round = rounds.next() else { throw ServiceProcess.Failure(description: "no items are left") }
                let time = try await roundTrip(crowd, puppet, items.map { $0[round] })
                report(
                    "\(idle.streams ? "an event of each job delivered" : "pings of all clients answered")\(situation)",
                    time)
            }
            let begun = ContinuousClock.now
            try await crowd.join((0..<idle.sockets).map { idle.path(of: jobs[$0 % jobs.count]) }, atOnce: 500)
            report("\(idle.kind)s opened", ContinuousClock.now - begun)
            try await check("")
            try await slowReaders(suite, puppet)
            try await check(", afterwards")
            try await restartHost(suite, crowd) { try await check(", from a start of progress-host") }
            try await suite.worker.start()
            await suite.worker.end()
            try await check(", after a restart of the worker")
            try await restartProxy(suite, crowd)
            try await check(", after a restart of api-proxy")
            Figure(
                name: "events that arrived twice or out of order", value: Double(crowd.counts.misplaced), unit: "",
                target: 0
            ).report()
            await crowd.leave()
            await puppet.disconnect()
        }
    }

    private var options: Suite.Options {
        Suite.Options(settings: [
            "BOOKSTRACK_MAX_SOCKETS": "\(idle.sockets + slow + 500)", "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000",
            // This limit includes WebSockets and event streams. An address may use three quarters of it for connections that have not become either
            // yet, and after a restart of api-proxy, all clients connect at about the same time.
            "BOOKSTRACK_MAX_CONNECTIONS": "\((idle.sockets + slow) * 3 / 2)",
            "BOOKSTRACK_MAX_SOCKETS_PER_JOB": "1000", "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0",
            "BOOKSTRACK_MAX_BATCH_BOOKS": "10000", "BOOKSTRACK_LOG_LEVEL": "warning",
        ])
    }

    /// The time until every client has received something from the services: the response to its ping or, on an event
    /// stream, an event of its job.
    private func roundTrip(
        _ crowd: any WatcherCrowd, _ puppet: WorkerPuppet, _ items: [ClaimedItem]
    ) async throws -> Duration {
        let before = crowd.counts
        let begun = ContinuousClock.now
        if let sockets = crowd as? SocketCrowd {
            await sockets.ping()
            try await crowd.wait(for: "pongs", within: .seconds(60)) { $0.pongs >= before.pongs + before.open }
        } else {
            for start in stride(from: 0, to: items.count, by: 500) {
                try await record(items[start..<min(start + 500, items.count)], puppet)
            }
            try await crowd.wait(for: "events", within: .seconds(60)) { $0.progress >= before.progress + before.open }
        }
        return ContinuousClock.now - begun
    }

    /// Records items, and repeats the call if progress-host has just been restarted.
    private func record(_ items: ArraySlice<ClaimedItem>, _ puppet: WorkerPuppet) async throws {
        do {
            try await puppet.record(items)
        } catch is RPCError {
            try await puppet.client.waitUntilConnected(within: .seconds(20))
            try await puppet.record(items)
        }
    }

    /// Measures clients that do not read while frames are sent to them, and then read the frames that were kept.
    private func slowReaders(_ suite: Suite, _ puppet: WorkerPuppet) async throws {
        let crowd = idle.crowd(at: suite.address)
        let watched = try await IdleJob.create(Self.slowJobs, items: frames, puppet)
        let jobs = Set(watched.map(\.id))
        let (starts, start) = AsyncStream<Void>.makeStream()
        let gate = Task { for await _ in starts {} }
        crowd.join((0..<slow).map { idle.path(of: watched[$0 % watched.count]) }) { await gate.value }
        try await crowd.wait(for: "slow readers", within: .seconds(60)) { [slow] in $0.open == slow }
        let before = try KernelUsage(of: suite.proxy).resident
        var latencies = Latencies()
        let items = try await claim(jobs, puppet)
        for first in stride(from: 0, to: items.count, by: Self.slowJobs) {
            let begun = ContinuousClock.now
            try await puppet.record(items[first..<min(first + Self.slowJobs, items.count)])
            latencies.record(ContinuousClock.now - begun)
        }
        let after = try KernelUsage(of: suite.proxy).resident
        latencies.report("\(Self.slowJobs) items recorded, each for \(slow / Self.slowJobs) slow readers")
        Figure(
            name: "api-proxy, growth per slow reader", value: Double(after - before) / Double(slow) / 1_024,
            unit: "KiB", target: 320
        ).report()
        start.finish()
        try await crowd.wait(for: "ends of slow readers", within: .seconds(120)) { [slow] in
            $0.completed >= slow - ($0.ends[CloseCode.tryAgainLater.rawValue] ?? 0)
        }
        Figure(name: "slow readers that received their job's end", value: Double(crowd.counts.completed), unit: "")
            .report()
        Figure(
            name: "slow readers that were disconnected (1013)",
            value: Double(crowd.counts.ends[CloseCode.tryAgainLater.rawValue] ?? 0), unit: ""
        ).report()
        await crowd.leave()
    }

    /// Claims every item of some jobs; returns the first item of each job, then the second item of each, and so on.
    private func claim(_ jobs: Set<JobID>, _ puppet: WorkerPuppet) async throws -> [ClaimedItem] {
        var items: [ClaimedItem] = []
        while items.count < frames * jobs.count {
            items += try await puppet.claim(limit: 500, perJob: 10_000).filter { jobs.contains($0.key.jobId) }
        }
        return items.sorted { $0.key.index < $1.key.index }
    }

    /// Restarts progress-host: the connections stay open, and the new process resumes them.
    private func restartHost(_ suite: Suite, _ crowd: any WatcherCrowd, _ check: () async throws -> Void) async throws {
        let open = crowd.counts.open
        await suite.host.end()
        try await suite.host.start()
        try await check()
        Figure(
            name: "\(idle.kind)s that were lost", value: Double(open - crowd.counts.open), unit: "", target: 0
        )
        .report()
    }

    /// Restarts api-proxy: all clients lose their connections and reconnect.
    private func restartProxy(_ suite: Suite, _ crowd: any WatcherCrowd) async throws {
        let (before, open) = (crowd.counts, crowd.counts.open)
        await suite.proxy.end()
        try await crowd.wait(for: "lost connections", within: .seconds(30)) { $0.open == 0 }
        let begun = ContinuousClock.now
        try await suite.proxy.start()
        try await crowd.wait(for: "reconnected clients", within: .seconds(120)) {
            $0.open == open && $0.reconnected - before.reconnected >= open
        }
        report("from a start of api-proxy to \(open) \(idle.kind)s reconnected", ContinuousClock.now - begun)
        for (reason, count) in crowd.counts.refusals { print("    \(count) x \(reason)") }
    }

    private func report(_ name: String, _ time: Duration) {
        Figure(name: name, value: time / .seconds(1), unit: "s").report()
    }
}
