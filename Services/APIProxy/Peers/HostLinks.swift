import JSONRPC
import Logging
import NIOCore
import SuiteMethods

/// The connections to progress-host. Each event loop has its own, up to ``limit``, so a frame arrives on the event loop of its socket, and no other
/// thread has to be woken to send it.
struct HostLinks: Sendable {
    /// Maximum number of connections, since progress-host may keep 64 MiB of frames for each. If there are more event loops, several of them share a
    /// connection.
    private static let limit = 4

    private let links: [HostLink]

    /// - Parameter resumePage: Maximum number of sockets in one `ResumeSockets`.
    init(path: String, hub: SocketHub, resumePage: Int, logger: Logger) {
        let count = min(hub.shards.count, Self.limit)
        links = (0..<count).map { index in
            let shards = stride(from: index, to: hub.shards.count, by: count).map { hub.shards[$0] }
            return HostLink(path: path, sockets: LinkedSockets(shards), resumePage: resumePage, logger: logger)
        }
    }

    /// All connections.
    var clients: [RPCClient] { links.map(\.client) }

    /// Whether every connection is established.
    var isConnected: Bool { clients.allSatisfy(\.isConnected) }

    /// The connection for calls that do not belong to a socket.
    var client: RPCClient { links[0].client }

    /// Like ``HostLink/admit(_:_:on:markLive:completing:)`` on the connection of `eventLoop`. That connection may be established slightly later than
    /// the others; the call then waits up to `OpenSocket.deadline` for it.
    func admit(
        _ socket: SocketID, _ request: SocketRequest, on eventLoop: any EventLoop,
        markLive: @escaping @Sendable (OpenSocket.Result) -> Void,
        completing complete: @escaping @Sendable (Result<OpenSocket.Result, any Error>) -> Void
    ) {
        let link = links.first { $0.sockets.contains(eventLoop) } ?? links[0]
        guard !link.client.isConnected, clients.contains(where: \.isConnected) else {
            return link.admit(socket, request, on: eventLoop, markLive: markLive, completing: complete)
        }
        Task {
            try? await link.client.waitUntilConnected(within: OpenSocket.deadline)
            link.admit(socket, request, on: eventLoop, markLive: markLive, completing: complete)
        }
    }
}
