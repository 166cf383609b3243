import JSONRPC
import NIOCore
import SuiteMethods

/// The watchers (WebSockets, event streams and polls) that share a connection to progress-host: those of one event loop or, if there are many loops,
/// of several.
struct LinkedSockets: Sendable {
    private let shards: [SocketShard]

    /// - Parameter shards: At least one.
    init(_ shards: [SocketShard]) { self.shards = shards }

    /// The event loop on which progress-host's messages should arrive.
    var eventLoop: any EventLoop { shards[0].eventLoop }

    func contains(_ eventLoop: any EventLoop) -> Bool { shards.contains { $0.eventLoop === eventLoop } }

    /// Calls `body` once on each event loop that serves any of `ids`, with those of its watchers that have not closed. Must be called on
    /// ``eventLoop``: there, `body` runs immediately; on any other loop, in the order of the calls.
    private func forEachLoop(of ids: [SocketID], _ body: @escaping @Sendable ([any Watcher]) -> Void) {
        for shard in shards {
            let own = shards.count == 1 ? ids : ids.filter(shard.owns)
            guard !own.isEmpty else { continue }
            shard.eventLoop.runOrExecute { body(own.compactMap(shard.watcher)) }
        }
    }
}

// MARK: From progress-host

extension LinkedSockets {
    /// Delivers a frame to its sockets. Unknown sockets are ignored: they have closed in the meantime.
    func deliver(_ delivery: SocketDelivery) {
        forEachLoop(of: delivery.sockets) { watchers in
            var encoded = EncodedDelivery(delivery)
            for watcher in watchers {
                encoded.bytes(watcher.codec).map { watcher.deliver(delivery, bytes: $0) }
            }
        }
    }

    func noteV1(_ id: SocketID) {
        forEachLoop(of: [id]) { $0.first?.state.speaksV1 = true }
    }

    func close(_ closing: CloseSockets.Parameters) {
        forEachLoop(of: closing.sockets) { watchers in
            for watcher in watchers { watcher.close(closing.code, reason: closing.reason) }
        }
    }
}

// MARK: Restarts of progress-host

extension LinkedSockets {
    /// All live sockets, which progress-host has to resume.
    func live() async throws -> [ResumeSockets.LiveSocket] {
        var all: [ResumeSockets.LiveSocket] = []
        for shard in shards { all += try await shard.eventLoop.submit { shard.liveSockets }.get() }
        return all
    }

    /// Resumes `sockets` on a new connection, at most `page` of them per call.
    func resume(_ sockets: [ResumeSockets.LiveSocket], on connection: RPCConnection, page: Int) async throws {
        for start in stride(from: 0, to: sockets.count, by: page) {
            let some = Array(sockets[start..<min(start + page, sockets.count)])
            _ = try await connection.call(ResumeSockets.self, .init(sockets: some))
        }
        for shard in shards {
            let own = sockets.map(\.socket).filter(shard.owns)
            shard.eventLoop.execute { shard.attach(connection, resumed: own) }
        }
    }

    /// Called when the connection to progress-host is lost.
    func detach() {
        for shard in shards { shard.eventLoop.execute { shard.detach() } }
    }
}
