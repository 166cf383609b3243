package import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix

/// Listens on a Unix socket and routes what allowed peers ask (Services/README.md "JSON-RPC").
package final class RPCServer: Sendable {
    private let channel: any Channel
    private let file: SocketFile
    private let connections: ServerConnections

    private init(channel: any Channel, file: SocketFile, connections: ServerConnections) {
        self.channel = channel
        self.file = file
        self.connections = connections
    }

    /// Binds `path` with mode 0660, replacing a socket without a listener.
    ///
    /// - Parameters:
    ///   - allowedUIDs: Whose connections are kept; others are closed before anything is read (`SO_PEERCRED`).
    ///   - onConnect: Called on the connection's event loop before its first message.
    ///   - onDisconnect: Called on the connection's event loop after its last message.
    /// - Throws: An error that says why, when a live process listens there or the file cannot be made.
    package static func bind(
        path: String, router: RPCRouter, limits: RPCLimits = .init(), allowedUIDs: Set<UInt32>,
        group: any EventLoopGroup, logger: Logger,
        onConnect: @escaping @Sendable (RPCConnection) -> Void = { _ in },
        onDisconnect: @escaping @Sendable (RPCConnection) -> Void = { _ in }
    ) async throws -> RPCServer {
        let connections = ServerConnections(
            router: router, limits: limits, allowedUIDs: allowedUIDs, logger: logger,
            observer: ConnectionHandler.Observer(connected: onConnect, disconnected: onDisconnect))
        let (file, descriptor) = try SocketFile.bind(path)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 128)
                .childChannelInitializer { connections.admit($0) }
                .withBoundSocket(descriptor).get()
            return RPCServer(channel: channel, file: file, connections: connections)
        } catch {
            file.remove()
            throw error
        }
    }

    /// How many peers are connected.
    package var connectionCount: Int { connections.count }

    /// Bytes that wait to be written to the peers, in all.
    package var bufferedBytes: Int { connections.bufferedBytes }

    /// Stops accepting, closes the connections, and removes the socket file.
    package func shutdown() async {
        file.remove()
        try? await channel.close()
        await connections.closeAll()
    }
}
