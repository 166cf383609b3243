import BookstrackContract
import Glibc
import JSONRPC
import NIOCore
import Observability
import SuiteMethods

/// All watchers of this process (WebSockets, event streams and polls), distributed over the event loops of their connections.
final class SocketHub: Sendable {
    let socketLimiter: SocketLimiter
    let timeouts: PeerTimeouts
    let metrics: SocketMetrics
    /// One for each event loop.
    let shards: [SocketShard]

    init(
        group: any EventLoopGroup, limits: SocketLimits, timeouts: PeerTimeouts, metrics: SocketMetrics, tail: TailHub
    ) {
        let socketLimiter = SocketLimiter(limits: limits)
        self.socketLimiter = socketLimiter
        self.timeouts = timeouts
        self.metrics = metrics
        let loops = Array(group.makeIterator())
        shards = loops.enumerated().map { index, eventLoop in
            SocketShard(
                eventLoop: eventLoop, index: index, shardCount: loops.count, socketLimiter: socketLimiter,
                timeouts: timeouts, metrics: metrics, tail: tail)
        }
    }

    /// Registers the watcher created by `make` on the event loop of its connection, which must be the current one.
    ///
    /// Throws `APIFailure` if there are too many watchers.
    func open<Opened: Watcher>(
        job: JobID, client: ClientNetwork, on eventLoop: any EventLoop,
        _ make: (SocketID, SocketLimiter.Permit, SocketShard) -> Opened
    ) throws(APIFailure) -> Opened {
        let shard = try shard(on: eventLoop)
        let permit = try socketLimiter.enter(job: job, client: client)
        let watcher = make(shard.nextID(), permit, shard)
        shard.insert(watcher)
        return watcher
    }

    /// Counts a connection that watches no job itself, and returns the shard of its event loop, which must be the current one.
    ///
    /// Throws `APIFailure` if there are too many connections.
    func enter(
        client: ClientNetwork, on eventLoop: any EventLoop
    ) throws(APIFailure) -> (permit: SocketLimiter.Permit, shard: SocketShard) {
        let shard = try shard(on: eventLoop)
        return (try socketLimiter.enter(job: nil, client: client), shard)
    }

    private func shard(on eventLoop: any EventLoop) throws(APIFailure) -> SocketShard {
        guard let shard = shards.first(where: { $0.eventLoop === eventLoop }) else { throw .internalError }
        return shard
    }

    /// Figures about the watchers of a job, for operators.
    func watchers(of job: JobID) async throws -> [WatcherFigure] {
        var all: [WatcherFigure] = []
        for shard in shards { all += try await shard.eventLoop.submit { shard.figures(of: job) }.get() }
        return all
    }
}

/// The watchers of one event loop, and their connection to progress-host.
// @unchecked Sendable: everything but the constants is used on `eventLoop` only; calls from elsewhere hop to it first.
final class SocketShard: @unchecked Sendable {
    /// Minimum interval between a socket's reports to progress-host that a PING or PONG frame has arrived.
    static let signOfLifeInterval = TimeAmount.seconds(5)
    /// Maximum number of kept messages per socket.
    static let keptMessages = 16
    /// Number of sockets with unflushed frames at which all of them are flushed without waiting for the end of the turn.
    private static let flushLimit = 64
    /// Maximum total size of the messages that one event loop keeps, in bytes.
    static let keptBytes = 8 << 20

    let eventLoop: any EventLoop
    let socketLimiter: SocketLimiter
    let timeouts: PeerTimeouts
    let metrics: SocketMetrics
    private let tail: TailHub
    /// This shard's index, which can be derived from the numbers of its sockets.
    private let index: Int
    private let shardCount: Int
    private var lastRound = 0
    private var sockets: [UInt64: any Watcher] = [:]
    private var dirty: [any Watcher] = []
    private var keptBytes = 0
    private var heartbeats = StreamHeartbeats()
    private var heartbeat: Scheduled<Void>?
    /// The connection to the progress-host that knows these sockets; nil while there is none.
    private var uplink: RPCConnection?

    init(
        eventLoop: any EventLoop, index: Int, shardCount: Int, socketLimiter: SocketLimiter, timeouts: PeerTimeouts,
        metrics: SocketMetrics, tail: TailHub
    ) {
        self.eventLoop = eventLoop
        self.index = index
        self.shardCount = shardCount
        self.socketLimiter = socketLimiter
        self.timeouts = timeouts
        self.metrics = metrics
        self.tail = tail
    }

    /// Publishes an event of a socket to `bookstrack tail`.
    func tell(_ name: TailSubject.Step.Name, of socket: any Watcher, result: String? = nil) {
        let step = TailSubject.Step(name, result: result)
        tail.publish(TailEntry(step, job: socket.request.jobId.text, nil, at: Activity.now))
    }

    var count: Int { sockets.count }

    func nextID() -> SocketID {
        lastRound += 1
        return SocketID(UInt64(lastRound * shardCount + index))
    }

    /// Whether the socket was opened on this event loop. Can be called on any thread.
    func owns(_ id: SocketID) -> Bool { Int(id.number % UInt64(shardCount)) == index }

    func insert(_ socket: any Watcher) { sockets[socket.id.number] = socket }

    func watcher(_ id: SocketID) -> (any Watcher)? { sockets[id.number] }

    func remove(_ socket: any Watcher) {
        sockets[socket.id.number] = nil
        dropKept(of: socket)
        forget(socket.id)
    }

    /// Notifies progress-host that a socket is gone. This also applies to a socket that was not admitted in time, because progress-host may have
    /// registered it late.
    func forget(_ id: SocketID) { uplink?.notify(SocketClosed.self, .init(socket: id)) }

    /// Has a stream send heartbeats until it ends.
    func keepAlive(_ stream: any HeartbeatStream) {
        heartbeats.add(stream, at: eventLoop.now + timeouts.streamHeartbeat)
        planHeartbeat()
    }

    private func planHeartbeat() {
        guard heartbeat == nil, let next = heartbeats.next else { return }
        heartbeat = eventLoop.assumeIsolated().scheduleTask(deadline: next) { [self] in
            heartbeat = nil
            let now = eventLoop.now
            while let stream = heartbeats.takeDue(at: now) {
                if stream.sendHeartbeat() { heartbeats.add(stream, at: now + timeouts.streamHeartbeat) }
            }
            planHeartbeat()
        }
    }

    /// Flushes once for all frames that are written in one turn of the loop, or earlier if many sockets are waiting: the first clients then receive
    /// an event before it is written for the last ones.
    ///
    /// After each early flush, other processes may use the CPU (sched_yield(2)). Otherwise, a reverse proxy or a client on the same machine might
    /// have to wait until every socket is flushed, which takes several milliseconds for 1 000 sockets.
    func flushSoon(_ socket: any Watcher) {
        guard !socket.state.isDirty else { return }
        socket.state.isDirty = true
        dirty.append(socket)
        if dirty.count == 1 { eventLoop.assumeIsolated().execute { self.flushAll() } }
        if dirty.count == Self.flushLimit {
            flushAll()
            sched_yield()
        }
    }

    private func flushAll() {
        let sockets = dirty
        dirty = []
        for socket in sockets { socket.flush() }
    }
}

// MARK: To progress-host

extension SocketShard {
    /// Passes a message on, or keeps it while progress-host is down or has not admitted the socket; false if neither is possible.
    func forward(_ text: String, from socket: any Watcher) -> Bool {
        guard let message = try? BodyCoding.encode(SocketMessage.Parameters(socket: socket.id, text: text)) else {
            return false
        }
        if let uplink, socket.state.phase != .opening {
            if uplink.notifyRaw(SocketMessage.name, message) { return true }
            guard !uplink.isOpen else { return false }
        }
        guard socket.state.kept.count < Self.keptMessages, keptBytes + message.readableBytes <= Self.keptBytes else {
            return false
        }
        keptBytes += message.readableBytes
        socket.state.kept.append(message)
        return true
    }

    /// Passes on the kept messages of an admitted socket, unless progress-host is down.
    func passKept(of socket: any Watcher) {
        guard let uplink, !socket.state.kept.isEmpty else { return }
        for message in socket.state.kept {
            // The connection may have just closed. The rest is then passed on over the next one.
            guard uplink.notifyRaw(SocketMessage.name, message) else { return }
            keptBytes -= message.readableBytes
            socket.state.kept.removeFirst()
        }
    }

    private func dropKept(of socket: any Watcher) {
        keptBytes -= socket.state.kept.reduce(0) { $0 + $1.readableBytes }
        socket.state.kept = []
    }

    func signOfLife(of socket: ProgressSocket) {
        uplink?.notify(SocketAlive.self, .init(socket: socket.id))
    }

    /// Notifies progress-host that a socket has received a page; false if the notification cannot be sent.
    func caughtUp(_ socket: any Watcher) -> Bool {
        uplink?.notify(SocketCaughtUp.self, .init(socket: socket.id)) ?? false
    }

    /// Called when the connection to progress-host is lost.
    func detach() { uplink = nil }

    /// Called when progress-host has resumed `resumed`: reports the sockets that have closed, and passes on the messages and receipts that were held
    /// back in the meantime.
    func attach(_ connection: RPCConnection, resumed: [SocketID]) {
        // A later connection may already have replaced one that has closed.
        guard connection.isOpen else { return }
        uplink = connection
        for id in resumed {
            guard let socket = sockets[id.number] else {
                connection.notify(SocketClosed.self, .init(socket: id))
                continue
            }
            passKept(of: socket)
        }
        for socket in sockets.values { socket.giveReceipt() }
    }

    /// Figures about the watchers of a job.
    func figures(of job: JobID) -> [WatcherFigure] {
        sockets.values.filter { $0.request.jobId == job }.map(WatcherFigure.init)
    }

    /// The live sockets, with the data that progress-host needs to resume each one.
    var liveSockets: [ResumeSockets.LiveSocket] {
        sockets.values.compactMap { $0.state.phase == .open ? ResumeSockets.LiveSocket($0) : nil }
    }
}

extension ResumeSockets.LiveSocket {
    init(_ socket: any Watcher) {
        self.init(
            socket: socket.id, jobId: socket.request.jobId, tokenNumber: socket.state.tokenNumber,
            lastSeq: socket.state.ledger.lastSeq, begun: socket.state.ledger.begun, v1: socket.state.speaksV1,
            reconnect: socket.request.reconnect, since: socket.request.since, isOneWay: socket.request.isOneWay,
            followsResults: socket.request.followsResults)
    }
}
