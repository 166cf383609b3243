import Foundation
import Glibc
import JSONRPC
import Logging
import NIOCore
import NIOPosix

/// A server and a client connected to it over a real socket.
struct Pair {
    let server: RPCServer
    let client: RPCClient

    /// Runs `body` with a connected pair, and shuts both down afterwards.
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

/// Returns its parameters.
enum Echo: RPCMethod {
    struct Text: Codable, Equatable, Sendable {
        var text: String
    }
    typealias Parameters = Text
    typealias Result = Text
    static let name = "test.echo"
    static let isIdempotent = true
    static let deadline = Duration.seconds(10)
}

/// Like ``Echo``, but handled on the event loop.
enum InlineEcho: RPCMethod {
    typealias Parameters = Echo.Text
    typealias Result = Echo.Text
    static let name = "test.inlineEcho"
    static let isIdempotent = true
    static let deadline = Duration.seconds(10)
}

/// A notification that contains a number.
enum Count: RPCNotification {
    struct Value: Codable, Sendable {
        var value: Int
    }
    typealias Parameters = Value
    static let name = "test.count"
}

extension RPCServer {
    /// A test server on `directory`'s socket.
    static func listening(
        in directory: SocketDirectory, _ router: RPCRouter = RPCRouter(), limits: RPCLimits = RPCLimits(),
        allowedUIDs: Set<UInt32> = [getuid()], onConnect: @escaping @Sendable (RPCConnection) -> Void = { _ in },
        onDisconnect: @escaping @Sendable (RPCConnection) -> Void = { _ in }
    ) async throws -> RPCServer {
        try await bind(
            path: directory.socket, router: router, limits: limits, allowedUIDs: allowedUIDs,
            group: MultiThreadedEventLoopGroup.singleton, logger: .silent, onConnect: onConnect,
            onDisconnect: onDisconnect)
    }
}

/// A directory for a test's sockets, deleted after the test. Its path is short enough for `sun_path`.
final class SocketDirectory: Sendable {
    let path: String

    init() throws {
        path = "/tmp/rpc-\(UUID().uuidString.prefix(12))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var socket: String { path + "/s.sock" }
}
