import ArgumentParser
import ProgressClient
import SuiteFixture

/// What an idle WebSocket costs in api-proxy and in progress-host.
struct IdleSocketsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "idle", abstract: "Memory of an idle WebSocket")

    @OptionGroup var idle: IdleSocketOptions

    func run() async throws {
        try await Suite.run(idle.suite(logLevel: "warning")) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let paths = try await IdleSockets.paths(jobs: idle.jobs, puppet)
            let before = try usage(suite)
            let open = try await IdleSockets.open(idle.sockets, at: paths, suite)
            try await Task.sleep(for: .seconds(2))
            let after = try usage(suite)
            Figure(
                name: "idle WebSocket in api-proxy at \(idle.sockets)",
                value: Double(after.proxy - before.proxy) / Double(idle.sockets) / 1_024, unit: "KiB", reach: 8
            ).report()
            Figure(
                name: "idle WebSocket in progress-host at \(idle.sockets)",
                value: Double(after.host - before.host) / Double(idle.sockets) / 1_024, unit: "KiB", reach: 4
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
