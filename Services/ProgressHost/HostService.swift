import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// Owns the state of every job (Services/README.md).
package enum ProgressHost {
    /// Runs the service until a signal stops it.
    package static func main() async {
        await ServiceMain.run(.progressHost, abstract: "Stores jobs and their results, and reports their progress.") {
            context in
            [try HostService(context)]
        }
    }
}

/// The progress-host service: opens the database and serves requests on its socket until it is stopped.
struct HostService: Service {
    /// Result of opening the database at startup.
    private enum Start {
        case open(JobDatabase)
        case refused(StorageOutage)
    }

    let context: ServiceContext
    private let metrics: HostMetrics
    private let serverMetrics: ServerMetrics
    private let listener: Listeners.Listener
    private let start: Start
    private static let reopenInterval = Duration.seconds(1)

    /// Opens the database. `run` retries if this fails for a reason that may pass; any other error is thrown, for example if another process owns the
    /// database.
    init(_ context: ServiceContext) throws {
        self.context = context
        metrics = HostMetrics(context.metrics)
        serverMetrics = ServerMetrics(.progressHost, context.metrics)
        context.metrics.declareDatabase("jobs", at: JobDatabase.path(in: Self.directory(context)))
        listener = context.listeners.announce("socket")
        do {
            start = .open(try Self.open(context))
        } catch {
            guard let outage = StorageOutage(error, health: context.health) else { throw error }
            start = .refused(outage)
            metrics.engine.storage(isRefusing: true)
        }
    }

    func run() async throws {
        switch start {
        case .open(let database): try await serve(database)
        case .refused(let outage):
            if let database = try await wait(for: outage) { try await serve(database) }
        }
    }

    private func serve(_ database: JobDatabase) async throws {
        let clock = EngineClock()
        // Set before the engine runs; otherwise, this could overwrite a refusal that the engine has reported.
        metrics.engine.storage(isRefusing: false)
        let policy = HostPolicy(context.settings)
        let engine = EngineThread(
            database: database, policy: policy, clock: clock, tail: context.tail,
            metrics: metrics, logger: context.logger)
        context.metrics.declare(engine)
        let methods = HostMethods(
            engine: engine, results: ResultsReader(pool: database.pool, clock: clock, ttl: policy.resultsTTL),
            lister: JobLister(pool: database.pool, clock: clock), analytics: AnalyticsReader(pool: database.pool),
            health: context.health,
            tail: context.tail, metrics: serverMetrics, settings: context.settings.reported)
        let server = try await bind(methods.router(), onDisconnect: { methods.disconnected($0) })
        context.liveness.watch { await engine.turn() }
        try? await gracefulShutdown()
        await methods.stop(server)
        close(database)
    }

    /// Listens without a database until the database can be opened; nil if the process must stop before that.
    private func wait(for outage: StorageOutage) async throws -> JobDatabase? {
        context.logger.error(
            "the database cannot be opened; retrying",
            metadata: ["directory": "\(context.directories.storage)", "reason": "\(outage.reason)"])
        let server = try await bind(
            outage.router(
                tail: context.tail, metrics: serverMetrics, settings: context.settings.reported))
        let database: JobDatabase?
        do {
            database = try await cancelWhenGracefulShutdown { [context] in
                try await outage.over {
                    try await Task.sleep(for: Self.reopenInterval)
                } open: {
                    try Self.open(context)
                }
            }
        } catch is CancellationError {
            database = nil
        } catch {
            await server.shutdown()
            throw error
        }
        await server.shutdown()
        return database
    }

    private func bind(
        _ router: RPCRouter, onDisconnect: @escaping @Sendable (RPCConnection) -> Void = { _ in }
    ) async throws -> RPCServer {
        let path = context.directories.socket(of: .progressHost)
        let server = try await RPCServer.bind(
            path: path, router: router, limits: Self.limits,
            allowedUIDs: Set(context.settings[.allowedUserIDs]).union([getuid()]),
            group: MultiThreadedEventLoopGroup.singleton, logger: context.logger, onDisconnect: onDisconnect)
        serverMetrics.follow(server)
        listener.listens(at: path)
        return server
    }

    private static func open(_ context: ServiceContext) throws -> JobDatabase {
        try JobDatabase(directory: directory(context))
    }

    private static func directory(_ context: ServiceContext) -> URL { URL(filePath: context.directories.storage) }

    /// Closes the database and marks the stop as clean. If the mark cannot be written and the machine reboots before the next start, `seq` jumps, but
    /// nothing is lost.
    private func close(_ database: JobDatabase) {
        do {
            try database.close()
        } catch {
            context.logger.error("the database was not closed cleanly", metadata: ["error": "\(error)"])
        }
    }

    /// The limits of a peer's connection. Frames for thousands of sockets may wait for one api-proxy.
    private static var limits: RPCLimits {
        var limits = RPCLimits()
        limits.maximumOutboundBytes = 64 << 20
        return limits
    }
}
