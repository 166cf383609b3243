import ArgumentParser
import Foundation
import NIOCore
import SuiteFixture
import WireClient

/// The time that each process takes to become ready, and that api-proxy takes to stop with many connections open.
struct StopBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Time from each process's start until it is ready; graceful stop of api-proxy with many connections")

    @OptionGroup var idle: IdleSocketOptions
    @Option(help: "Number of starts of each process.")
    var starts = 9

    func run() async throws {
        try await Suite.run(idle.suite(logLevel: "notice")) { suite in
            try await measureStarts(suite)
            try await measureStop(suite)
        }
    }

    private func measureStarts(_ suite: Suite) async throws {
        for (name, process) in [
            ("progress-host", suite.host), ("enrichment-worker", suite.worker), ("api-proxy", suite.proxy),
        ] {
            var slowest = Duration.zero
            for _ in 0..<starts {
                await process.end(SIGTERM)
                slowest = max(slowest, try await timeToReady(process))
            }
            Figure(
                name: "\(name), start until ready, slowest of \(starts)", value: slowest / .milliseconds(1), unit: "ms",
                target: 300
            ).report()
        }
        try await suite.waitUntilReady()
    }

    /// The time from the start of the process to the log line that reports that all its sockets are listening.
    private func timeToReady(_ process: ServiceProcess) async throws -> Duration {
        let before = Self.readyLines(process.log)
        let begun = ContinuousClock.now
        try await process.start()
        while Self.readyLines(process.log) == before {
            guard ContinuousClock.now - begun < .seconds(10) else {
                throw ServiceProcess.Failure(
                    description: "the process did not become ready: \(process.log.suffix(500))")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        return ContinuousClock.now - begun
    }

    private static func readyLines(_ log: String) -> Int {
        log.split(separator: "\n").count { $0.contains(#""message":"ready""#) }
    }

    private func measureStop(_ suite: Suite) async throws {
        await suite.worker.end()
        let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
        let open = try await IdleConnections.open(idle, of: IdleJob.create(idle.jobs, puppet), suite)
        let begun = ContinuousClock.now
        let status = await suite.proxy.end(SIGTERM)
        Figure(
            name: "api-proxy, graceful stop with \(idle.sockets) \(idle.kind)s",
            value: (ContinuousClock.now - begun) / .seconds(1),
            unit: "s", target: 5
        ).report()
        Figure(
            name: "\(idle.kind)s that were told to reconnect, exit status \(status ?? -1)",
            value: Double(try await open.restarted()), unit: "", target: Double(idle.sockets), direction: .atLeast
        ).report()
        await puppet.disconnect()
    }
}
