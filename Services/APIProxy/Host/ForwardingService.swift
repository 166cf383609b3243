import Glibc
import JSONRPC
import Logging
import NIOCore
import ServiceKit
import ServiceLifecycle

/// Listens on `api-proxy.sock`.
struct ForwardingService: Service {
    let path: String
    let allowedUIDs: Set<UInt32>
    let router: RPCRouter
    let group: any EventLoopGroup
    let metrics: ServerMetrics
    let logger: Logger
    /// Called once it listens.
    let onRunning: @Sendable () -> Void

    func run() async throws {
        let server = try await RPCServer.bind(
            path: path, router: router, allowedUIDs: allowedUIDs.union([getuid()]), group: group, logger: logger)
        metrics.follow(server)
        onRunning()
        try? await gracefulShutdown()
        await server.shutdown()
    }
}
