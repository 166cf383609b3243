import ArgumentParser
import BookstrackContract
import ProgressClient
import SuiteFixture

/// Memory of an idle WebSocket in api-proxy and in progress-host.
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
            try KernelUsage(pid: suite.proxy.pid ?? 0).resident, try KernelUsage(pid: suite.host.pid ?? 0).resident
        )
    }
}

/// The number of open sockets of a benchmark, and of their jobs.
struct IdleSocketOptions: ParsableArguments {
    @Option(help: "Sockets; each process may open 20 000 files.")
    var sockets = 10_000
    @Option(help: "Jobs they are spread over.")
    var jobs = 1_000

    /// Options of a suite that allows so many sockets from one address.
    func suite(logLevel: String) -> Suite.Options {
        Suite.Options(settings: [
            "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000", "BOOKSTRACK_LOG_LEVEL": logLevel,
        ])
    }
}

/// Many idle sockets.
enum IdleSockets {
    /// Creates jobs, and returns the paths of their sockets.
    static func paths(jobs: Int, _ puppet: WorkerPuppet) async throws -> [String] {
        var paths: [String] = []
        for _ in 0..<jobs {
            let id = JobID.random()
            paths.append("/ws/progress?jobId=\(id)&token=\(try await puppet.createJob(id, count: 10))")
        }
        return paths
    }

    /// Opens `count` sockets, spread over the paths.
    static func open(_ count: Int, at paths: [String], _ suite: Suite) async throws -> [ProgressSocket] {
        var open: [ProgressSocket] = []
        for index in 0..<count {
            let socket = try await ProgressSocket.connect(to: suite.address, path: paths[index % paths.count])
            try await socket.send(text: #"{"type":"ready"}"#)
            open.append(socket)
        }
        return open
    }
}
