import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import SuiteMethods

@testable import APIProxy

/// A scripted enrichment-worker on a real Unix socket, for covers.
final class FakeCoverWorker: Sendable {
    typealias Fetch = @Sendable (FetchCover.Parameters) async throws -> FetchCover.Result

    private let server: RPCServer
    private let asked: NIOLockedValueBox<[FetchCover.Parameters]>

    /// What it was asked to fetch.
    var fetches: [FetchCover.Parameters] { asked.withLockedValue { $0 } }

    /// Listens where `proxy` looks for it, and returns when the proxy is connected.
    static func start(for proxy: RunningProxy, _ fetch: @escaping Fetch) async throws -> FakeCoverWorker {
        let asked = NIOLockedValueBox<[FetchCover.Parameters]>([])
        var router = RPCRouter()
        router.handle(FetchCover.self) { parameters, _ in
            asked.withLockedValue { $0.append(parameters) }
            return try await fetch(parameters)
        }
        let server = try await RPCServer.bind(
            path: SuiteSockets(directory: proxy.directory.path).path(of: .enrichmentWorker), router: router,
            allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "fake-worker") { _ in SwiftLogNoOpLogHandler() })
        try await proxy.connect(to: .enrichmentWorker)
        return FakeCoverWorker(server, asked)
    }

    private init(_ server: RPCServer, _ asked: NIOLockedValueBox<[FetchCover.Parameters]>) {
        self.server = server
        self.asked = asked
    }

    func stop() async { await server.shutdown() }
}
