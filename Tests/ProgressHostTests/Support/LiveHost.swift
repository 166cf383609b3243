import Dispatch
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Observability
import ServiceKit
import SuiteMethods
@testable import ProgressHost

/// progress-host with its own thread and, on request, a real socket.
final class LiveHost: Sendable {
    let directory: URL
    let methods: HostMethods
    let database: JobDatabase
    let tail = TailHub()
    private let server = NIOLockedValueBox<RPCServer?>(nil)

    static let silent = Logger(label: "host") { _ in SwiftLogNoOpLogHandler() }

    init(_ policy: HostPolicy = HostPolicy(), in directory: URL? = nil) throws {
        self.directory = directory ?? URL(filePath: "/tmp/ph-\(UUID().uuidString.prefix(12))")
        try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
        database = try JobDatabase(directory: self.directory)
        let clock = EngineClock()
        methods = HostMethods(
            engine: EngineThread(
                database: database, policy: policy, clock: clock, tail: tail, metrics: HostMetrics(MetricRegistry()),
                logger: Self.silent),
            results: ResultsReader(pool: database.pool, clock: clock, ttl: policy.resultsTTL),
            lister: JobLister(pool: database.pool, clock: clock), analytics: AnalyticsReader(pool: database.pool),
            health: HealthReporter(logger: Self.silent),
            tail: tail, metrics: ServerMetrics(.progressHost, MetricRegistry()))
    }

    var socket: String { directory.appending(path: "host.sock").path }

    func listen() async throws {
        let bound = try await RPCServer.bind(
            path: socket, router: methods.router(), allowedUIDs: [getuid()],
            group: MultiThreadedEventLoopGroup.singleton, logger: Self.silent,
            onDisconnect: { [methods] in methods.disconnected($0) })
        server.withLockedValue { $0 = bound }
    }

    /// A connected client, and the task that keeps it connected.
    func connect(_ router: RPCRouter = RPCRouter()) async throws -> (client: RPCClient, running: Task<Void, Never>) {
        let client = RPCClient(
            path: socket, router: router, group: MultiThreadedEventLoopGroup.singleton, logger: Self.silent)
        let running = Task { await client.run() }
        try await client.waitUntilConnected(within: .seconds(20))
        return (client, running)
    }

    func stop(engineIsStopped: Bool = false) async {
        await stopServing(engineIsStopped: engineIsStopped)
        try? FileManager.default.removeItem(at: directory)
    }

    /// Like `stop`, but keeps the directory.
    func stopServing(engineIsStopped: Bool = false) async {
        let server = server.withLockedValue { $0 }
        if engineIsStopped { await server?.shutdown() } else { await methods.stop(server) }
        try? database.close()
    }
}

/// A gate that blocks a thread until the gate is opened.
struct BlockedThread: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let blocked: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (blocked, signal) = AsyncStream<Void>.makeStream() }

    func block() {
        signal.finish()
        gate.wait()
    }

    /// Returns once a thread is blocked.
    func waitUntilBlocked() async {
        for await _ in blocked {}
    }

    func open() { gate.signal() }
}
