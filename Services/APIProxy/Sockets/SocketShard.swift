import BookstrackContract
import JSONRPC
import NIOCore
import Observability
import SuiteMethods

/// The sockets of one event loop, and their way to progress-host.
// @unchecked Sendable: everything but the constants is touched on `eventLoop` only; entries from elsewhere hop first.
final class SocketShard: @unchecked Sendable {
    /// At most this often progress-host hears of bytes that were no message.
    static let signOfLifeInterval = TimeAmount.seconds(5)
    /// Messages of one socket that are kept while progress-host is away.
    static let keptMessages = 16
    /// Bytes of kept messages of all sockets.
    static let keptBytes = 8 << 20

    let eventLoop: any EventLoop
    let census: SocketCensus
    let patience: PeerPatience
    let metrics: SocketMetrics
    private let tail: TailHub
    private var sockets: [UInt64: SocketHandler] = [:]
    private var dirty: [SocketHandler] = []
    private var keptBytes = 0
    /// The connection whose host knows these sockets; nil while it is away.
    private var uplink: RPCConnection?

    init(
        eventLoop: any EventLoop, census: SocketCensus, patience: PeerPatience, metrics: SocketMetrics, tail: TailHub
    ) {
        self.eventLoop = eventLoop
        self.census = census
        self.patience = patience
        self.metrics = metrics
        self.tail = tail
    }

    /// Tells those who follow of a socket.
    func tell(_ name: TailSubject.Step.Name, of socket: SocketHandler, result: String? = nil) {
        let step = TailSubject.Step(name, result: result)
        tail.publish(TailEntry(step, job: socket.request.jobId.text, nil, at: Activity.now))
    }

    var count: Int { sockets.count }

    func insert(_ socket: SocketHandler) { sockets[socket.id.number] = socket }

    func socket(_ id: SocketID) -> SocketHandler? { sockets[id.number] }

    func remove(_ socket: SocketHandler) {
        sockets[socket.id.number] = nil
        keptBytes -= socket.kept.reduce(0) { $0 + $1.readableBytes }
        socket.kept = []
        forget(socket.id)
    }

    /// Tells progress-host that a socket is gone. It may know one whose opening it has not answered in time.
    func forget(_ id: SocketID) { uplink?.notify(SocketClosed.self, .init(socket: id)) }

    /// Lets frames that are written in one turn of the loop share a flush.
    func flushSoon(_ socket: SocketHandler) {
        guard !socket.isDirty else { return }
        socket.isDirty = true
        dirty.append(socket)
        if dirty.count == 1 { eventLoop.assumeIsolated().execute { self.flushAll() } }
    }

    private func flushAll() {
        let sockets = dirty
        dirty = []
        for socket in sockets { socket.flush() }
    }
}

// MARK: To progress-host

extension SocketShard {
    /// Passes a message on, or keeps it while progress-host is away; false when neither is possible.
    func forward(_ text: String, from socket: SocketHandler) -> Bool {
        guard let message = try? BodyCoding.encode(SocketMessage.Parameters(socket: socket.id, text: text)) else {
            return false
        }
        if let uplink {
            if uplink.notifyRaw(SocketMessage.name, message) { return true }
            guard !uplink.isOpen else { return false }
        }
        guard socket.kept.count < Self.keptMessages, keptBytes + message.readableBytes <= Self.keptBytes else {
            return false
        }
        keptBytes += message.readableBytes
        socket.kept.append(message)
        return true
    }

    func signOfLife(of socket: SocketHandler) {
        uplink?.notify(SocketAlive.self, .init(socket: socket.id))
    }

    /// Tells progress-host that a socket has taken a page; false while it is away.
    func caughtUp(_ socket: SocketHandler) -> Bool {
        uplink?.notify(SocketCaughtUp.self, .init(socket: socket.id)) ?? false
    }

    /// progress-host is away.
    func detach() { uplink = nil }

    /// progress-host knows `resumed` again: tells it what is gone by now and what was said meanwhile.
    func attach(_ connection: RPCConnection, resumed: [SocketID]) {
        uplink = connection
        for id in resumed {
            guard let socket = sockets[id.number] else {
                connection.notify(SocketClosed.self, .init(socket: id))
                continue
            }
            for message in socket.kept { connection.notifyRaw(SocketMessage.name, message) }
            keptBytes -= socket.kept.reduce(0) { $0 + $1.readableBytes }
            socket.kept = []
        }
        for socket in sockets.values { socket.giveReceipt() }
    }

    /// What progress-host has to know to go on with each socket.
    var liveSockets: [ResumeSockets.LiveSocket] {
        sockets.values.compactMap { $0.phase == .open ? ResumeSockets.LiveSocket($0) : nil }
    }
}

extension ResumeSockets.LiveSocket {
    init(_ socket: SocketHandler) {
        self.init(
            socket: socket.id, jobId: socket.request.jobId, tokenNumber: socket.tokenNumber,
            lastSeq: socket.ledger.lastSeq, begun: socket.ledger.begun, v1: socket.speaksV1,
            reconnect: socket.request.reconnect, since: socket.request.since)
    }
}
