import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import SuiteMethods

extension JobEngine {
    /// Gives a job its next event: stored, numbered, and sent to every watcher after the commit (spec/03 "Life of a job's events").
    func emit(
        _ kind: EventKind, of job: ActiveJob, _ turn: Turn, _ compose: (FrameComposer) throws -> [UInt8]
    ) throws {
        job.row.lastSeq += 1
        job.row.lastUpdate = turn.now.wall
        job.lastFrameAt = turn.now.uptime
        let composer = FrameComposer(job: job.row, counts: job.counts, now: turn.now)
        let frame = try compose(composer)
        let event = StoredEvent(seq: job.row.lastSeq, kind: kind, frame: frame)
        try turn.jobs.appendEvent(
            job: job.row.number, seq: event.seq, kind: kind.rawValue, frame: frame, now: turn.now.wall)
        try prune(job, turn)
        try broadcast(event, of: job.row, composer: composer, pushedStatus: job.pushedStatus, turn)
    }

    func emitProgress(_ job: ActiveJob, _ turn: Turn) throws {
        try emit(.progress, of: job, turn) { composer in
            try composer.progress(latest: job.latest, pushedStatus: job.pushedStatus)
        }
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

    /// Tells watchers of a silent running job that it is alive (spec/03 "Heartbeat"). Not an event.
    func keepAlive(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number], watchers[number]?.isEmpty == false else { return }
        let due = job.lastFrameAt + policy.keepAliveInterval
        if due <= turn.now.uptime {
            job.lastFrameAt = turn.now.uptime
            let composer = FrameComposer(job: job.row, counts: job.counts, now: turn.now)
            let frame = try composer.progress(
                latest: job.latest, pushedStatus: job.pushedStatus, keepAlive: true)
            let live = liveWatchers(of: number)
            deliver(frame, kind: .control, seq: job.row.lastSeq, to: live.current)
            if !live.v1.isEmpty {
                deliver(try composer.v1Progress(keepAlive: true), kind: .control, seq: job.row.lastSeq, to: live.v1)
            }
        }
        timers.set(.keepAlive(job: number), at: job.lastFrameAt + policy.keepAliveInterval)
    }

    /// `pushProgress` from outside: changes the status text only (spec/07).
    func push(_ text: String, to id: JobID, _ turn: Turn) throws {
        guard let number = numbers[id], let job = jobs[number] else {
            throw try turn.jobs.job(id) == nil ? HostFailure.noJob(id) : HostFailure.jobIsOver(id)
        }
        job.pushedStatus = text
        switch job.throttle.nudge(now: turn.now.uptime, processed: job.counts.processed) {
        case .emit: try emitProgress(job, turn)
        case .hold(let flushAt): timers.set(.flush(job: number), at: flushAt)
        }
    }

    /// Sends a stored event to everybody who watches live.
    private func broadcast(
        _ event: StoredEvent, of row: JobRow, composer: FrameComposer, pushedStatus: String?, _ turn: Turn
    ) throws {
        let live = liveWatchers(of: row.number)
        deliver(event.frame, kind: event.kind.delivery, seq: event.seq, to: live.current)
        guard !live.v1.isEmpty else { return }
        let frame = try v1Frame(event.kind, of: row, composer: composer, pushedStatus: pushedStatus, turn)
        deliver(frame, kind: event.kind.delivery, seq: event.seq, to: live.v1)
    }

    /// What a v1 client gets for an event of this kind.
    func v1Frame(
        _ kind: EventKind, of row: JobRow, composer: FrameComposer, pushedStatus: String? = nil, _ turn: Turn
    ) throws -> [UInt8] {
        switch kind {
        case .started, .progress: try composer.v1Progress(pushedStatus: pushedStatus)
        case .cancelled: try composer.v1Progress(pushedStatus: "job_cancelled")
        case .failed: try composer.v1Progress(error: "no provider could be reached for any book")
        case .completed:
            try V1Completion(
                composer: composer, status: StatusText.progress(processed: row.total, total: row.total)
            ).frame(rows: turn.items.resultRows(job: row.number))
        }
    }

    private func liveWatchers(of job: Int64) -> (current: [SocketKey], v1: [SocketKey]) {
        var live: (current: [SocketKey], v1: [SocketKey]) = ([], [])
        for key in watchers[job] ?? [] {
            guard let session = sessions[key], session.isLive else { continue }
            if session.v1 { live.v1.append(key) } else { live.current.append(key) }
        }
        return live
    }

    /// Sends one frame to some sockets after the commit, one message per api-proxy.
    func deliver(_ frame: [UInt8], kind: SocketDelivery.Kind, seq: Int, to keys: [SocketKey]) {
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            guard let link = links[peer] else { continue }
            let delivery = SocketDelivery(
                sockets: group.map(\.socket), kind: kind, seq: seq, frame: ByteBuffer(bytes: frame))
            effects.append(Effect(commit: { link.notifyRaw(SocketDelivery.name, delivery.raw) }))
        }
    }

    /// Sends a typed notification after the commit.
    func notify<N: RPCNotification>(_ notification: N.Type, _ parameters: N.Parameters, to peer: PeerID) {
        guard let link = links[peer], let encoded = try? JSONEncoder().encode(parameters) else { return }
        effects.append(Effect(commit: { link.notifyRaw(N.name, ByteBuffer(bytes: encoded)) }))
    }
}
