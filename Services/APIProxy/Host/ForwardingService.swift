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
    let handover: ListenerHandover
    /// How long an api-proxy may still listen there whose ports were taken over.
    let patience: Duration
    let group: any EventLoopGroup
    let metrics: ServerMetrics
    let logger: Logger
    /// Called once it listens.
    let onRunning: @Sendable () -> Void

    func run() async throws {
        let server = try await bind()
        metrics.follow(server)
        let successors = try await handover.listen(on: group)
        onRunning()
        try? await gracefulShutdown()
        await handover.end(successors)
        await server.shutdown()
    }

    private func bind() async throws -> RPCServer {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try await RPCServer.bind(
                    path: path, router: router, allowedUIDs: allowedUIDs.union([getuid()]), group: group,
                    logger: logger)
            } catch  where ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
