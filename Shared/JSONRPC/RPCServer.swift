package import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix

/// Listens on a Unix socket and routes the requests of allowed peers (Services/README.md "JSON-RPC").
package final class RPCServer: Sendable {
    private let channel: any Channel
    private let file: SocketFile
    private let connections: ServerConnections

    private init(channel: any Channel, file: SocketFile, connections: ServerConnections) {
        self.channel = channel
        self.file = file
        self.connections = connections
    }

    /// Binds `path` with mode 0660, replacing a socket that has no listener.
    ///
    /// - Parameters:
    ///   - allowedUIDs: The users whose connections are accepted; those of other users are closed before anything is read (`SO_PEERCRED`).
    ///   - onConnect: Called on the connection's event loop before its first message.
    ///   - onDisconnect: Called on the connection's event loop after its last message.
    /// - Throws: An error with the reason, for example if a live process is listening there.
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
                .serverChannelOption(.backlog, value: SocketFile.backlog)
                .childChannelInitializer { connections.admit($0) }
                .withBoundSocket(descriptor).get()
            return RPCServer(channel: channel, file: file, connections: connections)
        } catch {
            file.remove()
            throw error
        }
    }

    /// Number of connected peers.
    package var connectionCount: Int { connections.count }

    /// Total bytes waiting to be written to the peers.
    package var bufferedBytes: Int { connections.bufferedBytes }

    /// Stops accepting connections, closes the existing ones, and removes the socket file.
    package func shutdown() async {
        file.remove()
        try? await channel.close()
        await connections.closeAll()
    }
}

/// A server's connections: which peers are admitted and which are connected.
final class ServerConnections: Sendable {
    /// Why a peer is refused.
    private enum Refusal: Error {
        case uid, tooMany, shutDown
    }

    private struct State {
        var connections: [RPCConnectionID: RPCConnection] = [:]
        var isShutDown = false
    }

    private let router: RPCRouter
    private let limits: RPCLimits
    private let allowedUIDs: Set<UInt32>
    private let logger: Logger
    private let observer: ConnectionHandler.Observer
    private let state = NIOLockedValueBox(State())

    init(
        router: RPCRouter, limits: RPCLimits, allowedUIDs: Set<UInt32>, logger: Logger,
        observer: ConnectionHandler.Observer
    ) {
        self.router = router
        self.limits = limits
        self.allowedUIDs = allowedUIDs
        self.logger = logger
        self.observer = observer
    }

    var count: Int { state.withLockedValue { $0.connections.count } }

    /// Number of bytes waiting in all connections.
    var bufferedBytes: Int {
        state.withLockedValue { Array($0.connections.values) }.reduce(0) { $0 + $1.bufferedBytes }
    }

    /// Sets up a new channel. If this fails, the channel is closed.
    func admit(_ channel: any Channel) -> EventLoopFuture<Void> {
        PeerCredentials.of(channel).flatMapThrowing { peer in
            guard self.allowedUIDs.contains(peer.uid) else {
                self.logger.warning(
                    "refused a peer that runs as another user", metadata: ["uid": "\(peer.uid)", "pid": "\(peer.pid)"])
                throw Refusal.uid
            }
            let connection = RPCConnection(
                channel: channel, peer: peer, router: self.router, limits: self.limits, logger: self.logger)
            try self.add(connection)
            channel.closeFuture.whenComplete { _ in self.remove(connection.id) }
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection, observer: self.observer))
        }
    }

    private func add(_ connection: RPCConnection) throws(Refusal) {
        let refusal = state.withLockedValue { state -> Refusal? in
            guard !state.isShutDown else { return .shutDown }
            guard state.connections.count < limits.maximumConnections else { return .tooMany }
            state.connections[connection.id] = connection
            return nil
        }
        guard let refusal else { return }
        logger.warning("refused a connection", metadata: ["reason": "\(refusal)", "pid": "\(connection.peer.pid)"])
        throw refusal
    }

    private func remove(_ id: RPCConnectionID) {
        state.withLockedValue { $0.connections[id] = nil }
    }

    /// Closes every connection and admits no more.
    func closeAll() async {
        let connections = state.withLockedValue { state in
            state.isShutDown = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.close() }
        for connection in connections { try? await connection.closed.get() }
    }
}
