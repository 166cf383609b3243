import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// progress-host as a service: opens the database, answers on its socket until it is told to stop.
struct HostService: Service {
    let context: ServiceContext
    let database: JobDatabase

    /// Opens the database; throws when another process owns it or this program cannot read it.
    init(_ context: ServiceContext) throws {
        self.context = context
        database = try JobDatabase(directory: URL(filePath: context.directories.storage))
    }

    func run() async throws {
        let clock = SystemEngineClock()
        let engine = EngineThread(
            database: database, policy: HostPolicy(context.settings), clock: clock, logger: context.logger)
        let methods = HostMethods(
            engine: engine, results: ResultsReader(pool: database.pool, clock: clock), health: context.health)
        let server = try await RPCServer.bind(
            path: context.directories.socket(of: .progressHost), router: methods.router(),
            limits: Self.limits, allowedUIDs: Set(context.settings[.allowedUserIDs]).union([getuid()]),
            group: MultiThreadedEventLoopGroup.singleton, logger: context.logger,
            onDisconnect: { methods.disconnected($0) })
        context.logger.notice("listening")
        try? await gracefulShutdown()
        await server.shutdown()
        await engine.stop()
        close()
    }

    /// A note that cannot be written costs a jump of `seq` later, no more.
    private func close() {
        do {
            try database.close()
        } catch {
            context.logger.error("the database was not closed cleanly", metadata: ["error": "\(error)"])
        }
    }

    /// A start of thousands of jobs keeps many calls in flight, and frames for thousands of sockets wait for one api-proxy.
    private static var limits: RPCLimits {
        var limits = RPCLimits()
        limits.maximumInFlightInbound = 8_192
        limits.maximumOutboundBytes = 64 << 20
        return limits
    }
}
