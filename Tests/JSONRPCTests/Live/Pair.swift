import Glibc
import JSONRPC
import Logging
import NIOCore
import NIOPosix

/// A server and a client that is connected to it, over a real socket.
struct Pair {
    let server: RPCServer
    let client: RPCClient

    /// Runs `body` with a connected pair, then shuts both down.
    static func with<Result: Sendable>(
        serving: RPCRouter = RPCRouter(), calling: RPCRouter = RPCRouter(), limits: RPCLimits = RPCLimits(),
        onConnect: @escaping @Sendable (RPCConnection) -> Void = { _ in },
        onDisconnect: @escaping @Sendable (RPCConnection) -> Void = { _ in },
        _ body: (Pair) async throws -> Result
    ) async throws -> Result {
        let directory = try SocketDirectory()
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await RPCServer.bind(
            path: directory.socket, router: serving, limits: limits, allowedUIDs: [getuid()], group: group,
            logger: .silent, onConnect: onConnect, onDisconnect: onDisconnect)
        let client = RPCClient(
            path: directory.socket, router: calling, limits: limits, group: group, logger: .silent)
        let running = Task { await client.run() }
        defer { running.cancel() }
        try await client.waitUntilConnected(within: .seconds(60))
        let result: Result
        do {
            result = try await body(Pair(server: server, client: client))
        } catch {
            await client.shutdown()
            await server.shutdown()
            throw error
        }
        await client.shutdown()
        await server.shutdown()
        return result
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
