import ArgumentParser
import BookstrackContract
import NIOCore
import SuiteFixture
import WireClient

/// Memory of an idle WebSocket or event stream in api-proxy and in progress-host.
struct IdleSocketsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle", abstract: "Memory of an idle WebSocket or event stream")

    @OptionGroup var idle: IdleSocketOptions

    func run() async throws {
        try await Suite.run(idle.suite(logLevel: "warning")) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let jobs = try await IdleJob.create(idle.jobs, puppet)
            let before = try usage(suite)
            let open = try await IdleConnections.open(idle, of: jobs, suite)
            try await Task.sleep(for: .seconds(2))
            let after = try usage(suite)
            let proxy = Double(after.proxy - before.proxy) / Double(idle.sockets) / 1_024
            let host = Double(after.host - before.host) / Double(idle.sockets) / 1_024
            Figure(
                name: "idle \(idle.kind) in api-proxy at \(idle.sockets)", value: proxy, unit: "KiB", target: 8
            ).report()
            Figure(
                name: "idle \(idle.kind) in progress-host at \(idle.sockets)", value: host, unit: "KiB", target: 4
            ).report()
            Figure(
                name: "    both", value: proxy + host, unit: "KiB", target: idle.streams ? nil : 4.5,
                comparison: "limit 0.9; socketify 0.9, redis and node 4.9, node 7.3; durable: JetStream 48"
            ).report()
            await open.cut()
            await puppet.disconnect()
        }
    }

    private func usage(_ suite: Suite) throws -> (proxy: Int, host: Int) {
        (try KernelUsage(of: suite.proxy).resident, try KernelUsage(of: suite.host).resident)
    }
}

/// The number and kind of the open connections in a benchmark, and the number of their jobs.
struct IdleSocketOptions: ParsableArguments {
    @Option(help: "Number of connections; requires a higher open-file limit (ulimit -n).")
    var sockets = 10_000
    @Option(help: "Number of jobs that the connections are spread across.")
    var jobs = 1_000
    @Flag(help: "Use event streams instead of WebSockets.")
    var streams = false

    /// The name of a connection in printed figures.
    var kind: String { streams ? "event stream" : "WebSocket" }

    func path(of job: IdleJob) -> String { streams ? job.streamPath : job.socketPath }

    func crowd(at address: ServerAddress) -> any WatcherCrowd {
        streams ? StreamCrowd(address) : SocketCrowd(address)
    }

    /// Options for services that allow enough connections from one address.
    func suite(logLevel: String) -> Suite.Options {
        Suite.Options(settings: [
            "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000", "BOOKSTRACK_LOG_LEVEL": logLevel,
        ])
    }
}

/// A job for connections to watch. Its items have no events until a benchmark records them.
struct IdleJob {
    static let items = 10

    var id: JobID
    var token: String

    var socketPath: String { "\(APIPath.websocket(id))&token=\(token)" }
    var streamPath: String { "\(APIPath.events(id))?token=\(token)" }

    static func create(_ count: Int, items: Int = items, _ puppet: WorkerPuppet) async throws -> [IdleJob] {
        var jobs: [IdleJob] = []
        for _ in 0..<count {
            let id = JobID.random()
            jobs.append(IdleJob(id: id, token: try await puppet.createJob(id, count: items)))
        }
        return jobs
    }
}

/// Many idle connections of one kind.
enum IdleConnections {
    case sockets([ProgressSocket])
    case streams(StreamCrowd)

    /// Opens as many connections as the options specify, spread across the jobs.
    static func open(_ options: IdleSocketOptions, of jobs: [IdleJob], _ suite: Suite) async throws -> IdleConnections {
        guard !options.streams else {
            let crowd = StreamCrowd(suite.address)
            try await crowd.join((0..<options.sockets).map { jobs[$0 % jobs.count].streamPath }, atOnce: 500)
            return .streams(crowd)
        }
        var open: [ProgressSocket] = []
        for index in 0..<options.sockets {
            let socket = try await ProgressSocket.connect(
                to: suite.address, path: jobs[index % jobs.count].socketPath)
            try await socket.send(text: #"{"type":"ready"}"#)
            open.append(socket)
        }
        return .sockets(open)
    }

    /// Reads all connections until they end; returns how many of them were told to reconnect after a restart.
    func restarted() async throws -> Int {
        switch self {
        case .streams(let crowd):
            try await crowd.wait(for: "ends", within: .seconds(30)) { $0.open == 0 }
            await crowd.leave()
            return crowd.counts.ends[CloseCode.serviceRestart.rawValue] ?? 0
        case .sockets(let sockets):
            var closed = 0
            for socket in sockets {
                for await event in socket.events {
                    if case .closed(let code) = event.kind, code == CloseCode.serviceRestart.rawValue { closed += 1 }
                }
            }
            return closed
        }
    }

    func cut() async {
        switch self {
        case .streams(let crowd): await crowd.leave()
        case .sockets(let sockets): for socket in sockets { await socket.cut() }
        }
    }
}

extension WatcherCrowd {
    /// Adds a client for each path, `size` clients at a time, so the listener's backlog does not overflow.
    func join(_ paths: [String], atOnce size: Int) async throws {
        for start in stride(from: 0, to: paths.count, by: size) {
            let end = min(start + size, paths.count)
            join(Array(paths[start..<end]))
            try await wait(for: "clients", within: .seconds(60)) { $0.open == end }
        }
    }
}
