import BookstrackContract
import Foundation
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import Observability
import SuiteMethods

/// All live sockets of this process, spread over the event loops that hold their connections.
final class SocketHub: Sendable {
    let census: SocketCensus
    let patience: PeerPatience
    let metrics: SocketMetrics
    private let shards: [SocketShard]
    private let lastNumber = NIOLockedValueBox<UInt64>(0)

    init(
        group: any EventLoopGroup, limits: SocketLimits, patience: PeerPatience, metrics: SocketMetrics, tail: TailHub
    ) {
        let census = SocketCensus(limits: limits)
        self.census = census
        self.patience = patience
        self.metrics = metrics
        shards = group.makeIterator().map {
            SocketShard(eventLoop: $0, census: census, patience: patience, metrics: metrics, tail: tail)
        }
    }

    /// Makes and registers a socket on the event loop of its connection, which must be the current one.
    ///
    /// Throws `APIFailure` when there are too many.
    func open(_ request: SocketRequest, address: String, on eventLoop: any EventLoop) throws(APIFailure)
        -> SocketHandler
    {
        guard let index = shards.firstIndex(where: { $0.eventLoop === eventLoop }) else { throw .internalError }
        let place = try census.enter(job: request.jobId, address: address)
        let round = lastNumber.withLockedValue { number in
            number += 1
            return number
        }
        // The number tells the shard, so that a delivery finds it without a lock.
        let id = SocketID(round * UInt64(shards.count) + UInt64(index))
        let socket = SocketHandler(id: id, request: request, place: place, shard: shards[index])
        shards[index].insert(socket)
        return socket
    }

    private func shard(of id: SocketID) -> Int { Int(id.number % UInt64(shards.count)) }

    /// Runs `body` for each of `ids` that is live, on its event loop, in the order of the calls.
    private func forEach(_ ids: [SocketID], _ body: @escaping @Sendable (SocketHandler) -> Void) {
        for (index, shard) in shards.enumerated() {
            let own = shards.count == 1 ? ids : ids.filter { self.shard(of: $0) == index }
            guard !own.isEmpty else { continue }
            shard.eventLoop.execute {
                for id in own { shard.socket(id).map(body) }
            }
        }
    }
}

// MARK: From progress-host

extension SocketHub {
    /// Hands a frame to its sockets. Unknown sockets are ignored: they have closed since.
    func deliver(_ delivery: SocketDelivery) {
        guard let bytes = delivery.wireBytes else { return }
        forEach(delivery.sockets) { $0.deliver(delivery, bytes: bytes) }
    }

    func noteV1(_ id: SocketID) {
        forEach([id]) { $0.speaksV1 = true }
    }

    func close(_ closing: CloseSockets.Parameters) {
        forEach(closing.sockets) { $0.close(closing.code, reason: closing.reason) }
    }

    /// The sockets of each event loop that progress-host has to take up again.
    func liveSockets() async throws -> [ResumeSockets.LiveSocket] {
        var all: [ResumeSockets.LiveSocket] = []
        for shard in shards { all += try await shard.eventLoop.submit { shard.liveSockets }.get() }
        return all
    }

    /// progress-host has taken up `ids` on `connection`.
    func attach(_ connection: RPCConnection, resumed ids: [SocketID]) {
        for (index, shard) in shards.enumerated() {
            let own = ids.filter { self.shard(of: $0) == index }
            shard.eventLoop.execute { shard.attach(connection, resumed: own) }
        }
    }

    /// progress-host is away.
    func detach() {
        for shard in shards { shard.eventLoop.execute { shard.detach() } }
    }
}
