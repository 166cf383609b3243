import Glibc
import JSONRPC
import Logging
import NIOCore
import NIOPosix

extension RPCServer {
    /// A server of the tests on `directory`'s socket.
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
