import ArgumentParser
import ProgressClient
import SuiteFixture

/// What an idle WebSocket costs in api-proxy and in progress-host.
struct IdleSocketsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "idle", abstract: "Memory of an idle WebSocket")

    @Option(help: "Sockets; each process may open 20 000 files.")
    var sockets = 10_000
    @Option(help: "Jobs they are spread over.")
    var jobs = 1_000

    func run() async throws {
        let options = Suite.Options(settings: [
            "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000", "BOOKSTRACK_LOG_LEVEL": "warning",
        ])
        try await Suite.run(options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let paths = try await IdleSockets.paths(jobs: jobs, puppet)
            let before = try usage(suite)
            let open = try await IdleSockets.open(sockets, at: paths, suite)
            try await Task.sleep(for: .seconds(2))
            let after = try usage(suite)
            Figure(
                name: "idle WebSocket in api-proxy at \(sockets)",
                value: Double(after.proxy - before.proxy) / Double(sockets) / 1_024, unit: "KiB", reach: 8
            ).report()
            Figure(
                name: "idle WebSocket in progress-host at \(sockets)",
                value: Double(after.host - before.host) / Double(sockets) / 1_024, unit: "KiB", reach: 4
            ).report()
            for socket in open { await socket.cut() }
            await puppet.disconnect()
        }
    }

    private func usage(_ suite: Suite) throws -> (proxy: Int, host: Int) {
        (
            try ProcessUsage(pid: suite.proxy.pid ?? 0).resident, try ProcessUsage(pid: suite.host.pid ?? 0).resident
        )
    }
}
