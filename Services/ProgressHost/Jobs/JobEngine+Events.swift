import BookstrackContract
import JSONRPC
import Logging
import NIOCore
import SuiteMethods

extension JobEngine {
    /// Gives a job its next event: stored, numbered, and sent to every watcher after the commit (websocket.md "Job events").
    func emit(
        _ kind: EventKind, of job: ActiveJob, _ turn: Turn, _ compose: (FrameComposer) throws -> ByteBuffer
    ) throws {
        job.row.lastSeq += 1
        job.row.lastUpdate = turn.now.wall
        job.lastFrameAt = turn.now.uptime
        let composer = try composer(job.row, turn)
        let frame = try compose(composer)
        let event = StoredEvent(seq: job.row.lastSeq, kind: kind, frame: frame)
        tally.events.append(kind)
        try turn.jobs.appendEvent(
            job: job.row.number, seq: event.seq, kind: kind.rawValue, frame: frame, now: turn.now.wall)
        try prune(job, turn)
        try broadcast(event, composer: composer, turn)
    }

    func emitProgress(_ job: ActiveJob, _ turn: Turn) throws {
        logger.debug(
            "\(StatusText.technicalProgress(title: job.latest?.title ?? "", found: job.latest?.found ?? true, processed: job.counts.processed, total: job.counts.total))",
            metadata: ["jobId": "\(job.row.id)"])
        try emit(.progress, of: job, turn) { try $0.progress() }
    }

    /// Keeps the number of stored events of a job bounded.
    private func prune(_ job: ActiveJob, _ turn: Turn) throws {
        let oldest = job.row.recoverableFrom
        guard job.row.lastSeq - oldest > policy.eventsKept + policy.eventsKept / 4 else { return }
        job.row.recoverableFrom = job.row.lastSeq - policy.eventsKept
        try turn.jobs.dropEvents(job: job.row.number, through: job.row.recoverableFrom)
    }

    /// A held update is due.
    func flush(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number], job.throttle.flush(processed: job.counts.processed, now: turn.now.uptime)
        else { return }
        try emitProgress(job, turn)
    }

    /// Tells watchers of a silent running job that it is alive (websocket.md "Heartbeat"). Not an event.
    func keepAlive(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number], !sessions.watchers(of: number).isEmpty else { return }
        var next = turn.now.uptime + policy.keepAliveInterval
        if job.row.status == .processing {
            if job.lastFrameAt + policy.keepAliveInterval <= turn.now.uptime { try sendKeepAlive(job, turn) }
            next = job.lastFrameAt + policy.keepAliveInterval
        }
        timers.set(.keepAlive(job: number), at: next)
    }

    private func sendKeepAlive(_ job: ActiveJob, _ turn: Turn) throws {
        job.lastFrameAt = turn.now.uptime
        let composer = try composer(job.row, turn)
        let live = liveWatchers(of: job.row.number)
        deliver(try composer.keepAlive(), kind: .control, seq: job.row.lastSeq, to: live.current)
        guard !live.v1.isEmpty else { return }
        deliver(try composer.v1Progress(keepAlive: true), kind: .control, seq: job.row.lastSeq, to: live.v1)
    }

    /// `pushProgress` from outside: changes the status text only (Services/README.md "JSON-RPC"), and only to a text that shipped clients
    /// do not take for an end of the job (websocket.md "Payloads").
    func push(_ text: String, to id: JobID, _ turn: Turn) throws {
        guard let number = numbers[id], let job = jobs[number] else {
            throw try turn.jobs.job(id, at: turn.now.settled) == nil ? HostFailure.noJob(id) : HostFailure.jobIsOver(id)
        }
        job.pushedStatus = StatusText.isNeutral(text) ? Self.pushedTextLimit.cut(text) : nil
        guard job.row.status == .processing else { return }
        switch job.throttle.nudge(now: turn.now.uptime, processed: job.counts.processed) {
        case .emit: try emitProgress(job, turn)
        case .hold(let flushAt): timers.set(.flush(job: number), at: flushAt)
        }
    }

    private static let pushedTextLimit = FrameTextLimit(bytes: 120)

    /// Sends a stored event to everybody who watches live.
    private func broadcast(_ event: StoredEvent, composer: FrameComposer, _ turn: Turn) throws {
        let live = liveWatchers(of: composer.job.number)
        if event.frame.readableBytes < FrameEncoding.softLimit {
            deliver(event.frame, kind: event.kind.delivery, seq: event.seq, to: live.current)
        } else {
            lineUp(live.current, at: .replaying(after: event.seq - 1))
        }
        guard !live.v1.isEmpty else { return }
        switch event.kind {
        // Their streams began with the same state, and a failed scan has one last frame.
        case .started, .failing: break
        case .completed: lineUp(live.v1, at: .beginning)
        case .progress, .failed, .cancelled:
            guard let frame = try v1Frame(event.kind, composer: composer, turn) else { return }
            deliver(frame, kind: event.kind.delivery, seq: event.seq, to: live.v1)
        }
    }

    /// What a v1 client gets for an event of this kind; nil for the end of a completed job, whose frame comes from `v1Completions`.
    func v1Frame(_ kind: EventKind, composer: FrameComposer, _ turn: Turn) throws -> ByteBuffer? {
        switch kind {
        case .started, .progress, .failing: try composer.v1Progress()
        case .cancelled: try composer.v1Cancelled()
        case .failed:
            try composer.v1Failed(turn.items.failure(job: composer.job.number) ?? .providers)
        case .completed: nil
        }
    }

    private func liveWatchers(of job: Int64) -> (current: [SocketKey], v1: [SocketKey]) {
        var live: (current: [SocketKey], v1: [SocketKey]) = ([], [])
        for key in sessions.watchers(of: job) {
            guard let session = sessions[key], session.isLive else { continue }
            if session.v1 { live.v1.append(key) } else { live.current.append(key) }
        }
        return live
    }
}

extension JobEngine {
    /// Sockets named in one message; keeps what surrounds a frame small beside the frame's own bound (`V1Completion.byteLimit`).
    private static let socketsPerDelivery = 128

    /// Sends one frame to some sockets after the commit.
    func deliver(_ frame: ByteBuffer, kind: SocketDelivery.Kind, seq: Int, to keys: [SocketKey]) {
        guard !keys.isEmpty else { return }
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            guard let link = links[peer] else { continue }
            tally.deliveries.append((kind, group.count))
            var rest = group[...]
            while !rest.isEmpty {
                let delivery = SocketDelivery(
                    sockets: rest.prefix(Self.socketsPerDelivery).map(\.socket), kind: kind, seq: seq, frame: frame)
                rest = rest.dropFirst(Self.socketsPerDelivery)
                effects.append(Effect(commit: { link.notifyRaw(SocketDelivery.name, delivery.raw) }))
            }
        }
    }

    /// Closes sockets after what was delivered to them before. Those that api-proxy does not report as closed are forgotten when
    /// they are next looked at.
    func close(_ keys: [SocketKey], code: CloseCode, reason: String) {
        for key in keys { sessions[key]?.isClosing = true }
        let reason = Self.reasonLimit.cut(reason)
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            notify(
                CloseSockets.self,
                CloseSockets.Parameters(sockets: group.map(\.socket), code: code, reason: reason), to: peer)
        }
    }

    /// A close frame carries at most 123 bytes of reason (RFC 6455 §5.5).
    private static let reasonLimit = FrameTextLimit(bytes: 123)

    /// Sends a typed notification after the commit.
    func notify<N: RPCNotification>(_ notification: N.Type, _ parameters: N.Parameters, to peer: PeerID) {
        guard let link = links[peer], let encoded = try? BodyCoding.encode(parameters) else { return }
        effects.append(Effect(commit: { link.notifyRaw(N.name, encoded) }))
    }
}
