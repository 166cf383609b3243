import BookstrackContract
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// A WebSocket whose client specifies the jobs to watch in messages (streams.md "Many jobs on one WebSocket").
final class JobsSocket: JobMultiplexer, WebSocketOwner {
    static let path = "/ws/jobs"

    private enum Stage {
        case open
        /// The server is stopping. The connection closes once the last frames of ended jobs are written and, if there are open jobs, one of them has
        /// no frames waiting.
        case stopping
        case ending
    }

    var codec: FrameCodec { .webSocket }
    let connection: UpgradedConnection
    private(set) var members: [MultiplexedJob] = []
    private let admission: WatcherAdmission
    private let shard: SocketShard
    /// The connection's own permit; each job has a separate one.
    private let permit: SocketLimiter.Permit
    private let client: ClientNetwork
    private let limiter: RateLimiter?
    private var liveness: SocketLiveness
    private var timer: Scheduled<Void>?
    private var isDirty = false
    private var stage = Stage.open
    /// Bytes of notices and replies that were written while the client could not receive more.
    private var unreadBytes = 0

    var channel: (any Channel)? { connection.channel }

    /// Counts the connection. Throws 403 for a foreign page, 429 or 503 if there are too many connections.
    init(
        _ admission: WatcherAdmission, _ head: HTTPRequestHead, _ channel: any Channel, _ limiter: RateLimiter?
    ) throws(APIFailure) {
        try admission.checkOrigin(of: head, channel)
        self.admission = admission
        self.limiter = limiter
        client = admission.client(of: head, channel)
        (permit, shard) = try admission.hub.enter(client: client, on: channel.eventLoop)
        liveness = SocketLiveness(openedAt: channel.eventLoop.now, shard.timeouts)
        connection = UpgradedConnection(shard.metrics, shard.timeouts)
        connection.owner = self
    }

    func opened() {
        // The server may have begun to stop during the upgrade.
        if stage == .open { plan() } else { closeForRestart() }
    }

    func ended() {
        stage = .ending
        timer?.cancel()
        abandonMembers()
        shard.socketLimiter.leave(permit)
    }

    private func abandonMembers() {
        let members = members
        self.members = []
        for member in members { member.end() }
    }

    private func plan() {
        timer = shard.eventLoop.assumeIsolated().scheduleTask(deadline: liveness.deadline) { [weak self] in
            self?.check()
        }
    }

    private func check() {
        switch liveness.poll(at: shard.eventLoop.now, watchesJobs: !members.isEmpty) {
        case .nothing: break
        case .ping:
            var bytes = WebSocketWire.text(ConnectionFrame.bytes(PingPayload(timestamp: Activity.now)))
            bytes.writeImmutableBuffer(WebSocketWire.ping())
            connection.write(ping: bytes)
        case .endUnused: return close(.policyViolation, reason: "no job is watched")
        case .endSilent: return close(.tryAgainLater, reason: "no response from the client")
        }
        plan()
    }
}

// MARK: From the client

extension JobsSocket {
    var takesMessages: Bool { stage != .ending }

    func heard() { liveness.heard(at: shard.eventLoop.now) }

    func received(_ text: String) {
        heard()
        do throws(ClientMessage.Malformation) {
            switch try JobsMessage(text) {
            case .watch(.success(let jobs)): watch(jobs)
            case .unwatch(.success(let jobs)): unwatch(jobs)
            case .watch(.failure(let failure)), .unwatch(.failure(let failure)):
                notify([WatchNotice(unreadable: failure)])
            case .ping(let clientTime):
                let payload = PongPayload(timestamp: Activity.now, clientTime: clientTime)
                reply(WebSocketWire.text(ConnectionFrame.bytes(payload)))
            case .concerning(let jobId): forward(text, to: jobId)
            case .unknown: break
            }
        } catch {
            close(.protocolError, reason: error.rawValue)
        }
    }

    private func watch(_ jobs: [JobSelection.Job]) {
        let verdict = limiter?.count(.jobReading, client)
        var notices: [WatchNotice] = []
        for job in jobs where stage != .ending {
            if let member = member(job.jobId) {
                if member.channel != nil { notices.append(WatchNotice(.watched, job.jobId)) }
                continue
            }
            do throws(APIFailure) {
                if let verdict, !verdict.isAdmitted { throw verdict.refusal }
                try watch(job)
            } catch {
                notices.append(WatchNotice(.refused, job.jobId, code: error.code))
            }
        }
        notify(notices)
    }

    /// Asks progress-host whether a job may be watched; ``answered(_:_:)`` reports the outcome to the client.
    private func watch(_ job: JobSelection.Job) throws(APIFailure) {
        guard members.count < JobSelection.listLimit else {
            throw APIFailure(.tooManyConnections, "Too many jobs are being watched on this connection.")
        }
        let member = try admission.hub.open(job: job.jobId, client: client, on: shard.eventLoop) {
            MultiplexedJob(id: $0, request: job.socketRequest, permit: $1, shard: $2, multiplexer: self)
        }
        members.append(member)
        admission.ask(job.socketRequest, for: member, on: shard.eventLoop) { [weak self] in
            self?.answered($0, member)
        }
    }

    private func answered(_ outcome: Result<OpenSocket.Result, APIFailure>, _ member: MultiplexedJob) {
        guard member.state.phase != .closed else { return }
        let jobId = member.request.jobId
        switch outcome {
        case .failure(let failure):
            remove(member)
            notify([WatchNotice(.refused, jobId, code: failure.code)])
        // The client has received everything.
        case .success(let result) where result.isOver == true:
            liveness.isUsed = true
            remove(member)
            notify([WatchNotice(.watched, jobId), WatchNotice(.unwatched, jobId)])
        case .success:
            liveness.isUsed = true
            notify([WatchNotice(.watched, jobId)])
            // Writing the notice may have closed the connection.
            if member.state.phase != .closed { member.begin() }
        }
    }

    private func unwatch(_ jobs: [JobSelection.Job]) {
        for job in jobs { member(job.jobId).map(remove) }
        notify(jobs.map { WatchNotice(.unwatched, $0.jobId) })
        closeIfStopping()
    }

    private func member(_ jobId: JobID) -> MultiplexedJob? { members.first { $0.request.jobId == jobId } }

    private func remove(_ member: MultiplexedJob) {
        member.end()
        members.removeAll { $0 === member }
    }

    /// Passes on a message about one job, such as `cancel`, as the job's own WebSocket would.
    private func forward(_ text: String, to jobId: JobID) {
        guard let member = member(jobId), [.opening, .open].contains(member.state.phase) else { return }
        if !shard.forward(text, from: member) { close(.tryAgainLater, reason: "the service is busy") }
    }
}

// MARK: To the client

extension JobsSocket {
    func write(_ frame: ByteBuffer) { connection.write(frame) }

    private func notify(_ notices: [WatchNotice]) {
        guard !notices.isEmpty else { return }
        var frames = ByteBuffer()
        for notice in notices { frames.writeImmutableBuffer(WebSocketWire.text(JSONBody.encode(notice))) }
        reply(frames)
    }

    /// Writes frames that do not belong to a job. Closes the connection if more than ``SlowReaderQueue/byteLimit`` bytes of them are unread.
    private func reply(_ frames: ByteBuffer) {
        guard stage != .ending else { return }
        if !takesMore {
            unreadBytes += frames.readableBytes
            guard unreadBytes <= SlowReaderQueue.byteLimit else {
                return close(.tryAgainLater, reason: "reads too slowly")
            }
        }
        connection.write(frames)
    }

    /// Whether the client can receive more, as for a single job (``Watcher/takesMore``).
    private var takesMore: Bool {
        guard let channel else { return false }
        if !channel.isWritable, isDirty { flush() }
        return channel.isWritable
    }

    func flushSoon() {
        guard !isDirty else { return }
        isDirty = true
        shard.eventLoop.assumeIsolated().execute { [self] in
            isDirty = false
            flush()
        }
    }

    func flush() { connection.flush() }

    func clientReads() {
        unreadBytes = 0
        for member in members { member.drain() }
    }

    func ended(_ member: MultiplexedJob, _ code: CloseCode) {
        members.removeAll { $0 === member }
        notify([WatchNotice(endOf: member.request.jobId, code)])
        closeIfStopping()
    }

    /// Continues to close the connection of a stopping server once no last frames are waiting. Jobs whose watch began after the stop are then ended,
    /// too.
    private func closeIfStopping() {
        if stage == .stopping, !isDraining { closeForRestart() }
    }

    func end(_ code: CloseCode, reason: String) { close(code, reason: reason) }

    func breakOff() {
        close(.tryAgainLater, reason: "reads too slowly")
        connection.scheduleClose()
    }

    /// Closes the connection. Frames waiting for its client are dropped, since a later connection continues after the last frame written. The client
    /// has ``PeerTimeouts/drain`` to read what was written, and ``PeerTimeouts/closeReply`` to answer.
    func close(_ code: CloseCode, reason: String) {
        guard stage != .ending else { return }
        stage = .ending
        timer?.cancel()
        timer = shard.eventLoop.assumeIsolated().scheduleTask(in: shard.timeouts.drain) { [weak self] in
            self?.connection.scheduleClose()
        }
        connection.sendClose(code, reason: reason)
        abandonMembers()
    }

    func closeForRestart() {
        guard stage != .ending else { return }
        stage = .stopping
        // During the upgrade, no close frame can be sent.
        guard channel != nil else { return }
        guard !begun.isEmpty else { return close(.serviceRestart, reason: "server restarts") }
        closeMembersForRestart()
    }
}

/// Decides when a WebSocket for several jobs is pinged or ended (streams.md "Many jobs on one WebSocket").
struct SocketLiveness {
    enum Action: Equatable {
        case nothing
        case ping
        /// No job was watched in time.
        case endUnused
        /// Nothing was heard from the client for too long, although it was pinged.
        case endSilent
    }

    private let openedAt: NIODeadline
    private let timeouts: PeerTimeouts
    private var heardAt: NIODeadline
    /// When to call ``poll(at:watchesJobs:)`` next.
    private(set) var deadline: NIODeadline
    /// Whether any job was admitted.
    var isUsed = false

    init(openedAt now: NIODeadline, _ timeouts: PeerTimeouts) {
        openedAt = now
        heardAt = now
        self.timeouts = timeouts
        deadline = now + timeouts.firstWatch
    }

    mutating func heard(at now: NIODeadline) { heardAt = now }

    mutating func poll(at now: NIODeadline, watchesJobs: Bool) -> Action {
        let isSilent = now >= heardAt + timeouts.ping
        deadline = isSilent ? now + timeouts.ping : heardAt + timeouts.ping
        if !isUsed, !watchesJobs, now >= openedAt + timeouts.firstWatch { return .endUnused }
        guard isSilent else { return .nothing }
        return now >= heardAt + timeouts.silence ? .endSilent : .ping
    }
}
