import BookstrackContract
import Logging
import NIOCore

extension JobEngine {
    private static let pushedTextLimit = FrameTextLimit(bytes: 120)

    /// Numbers and stores a job's next event, and sends it to every watcher after the commit (websocket.md "Job
    /// events").
    func emit(
        _ kind: EventKind, of job: ActiveJob, _ turn: Turn, _ compose: (FrameComposer) throws -> ByteBuffer
    ) throws {
        let event = try jobs.nextEvent(kind, of: job, turn, compose)
        try turn.jobs.appendEvent(event.stored, job: job.row.number)
        try publish(event, turn)
    }

    /// Sends a stored event to every watcher after the commit.
    func publish(_ event: NewJobEvent, _ turn: Turn) throws {
        context.tally.events.append(event.stored.kind)
        try streams.broadcast(event.stored, composer: event.composer, turn)
    }

    func emitProgress(_ job: ActiveJob, _ turn: Turn) throws {
        logProgress(job)
        try emit(.progress, of: job, turn) { try $0.progress() }
    }

    /// Creates the event that reports an item's outcome, to be stored with the item; nil if the throttle holds it back.
    func outcomeEvent(of job: ActiveJob, _ turn: Turn) throws -> NewJobEvent? {
        let decision = job.throttle.update(processed: job.counts.processed, now: turn.now.uptime)
        guard isEmitted(decision, of: job) else { return nil }
        logProgress(job)
        return try jobs.nextEvent(.progress, of: job, turn) { try $0.progress() }
    }

    /// Whether an update becomes an event now; otherwise plans the time at which it is sent.
    private func isEmitted(_ decision: ProgressThrottle.Decision, of job: ActiveJob) -> Bool {
        if case .hold(let flushAt) = decision {
            context.timers.set(.flush(job: job.row.number), at: flushAt)
            return false
        }
        return true
    }

    private func logProgress(_ job: ActiveJob) {
        logger.debug("\(job.technicalProgress)", metadata: ["jobId": "\(job.row.id)"])
    }

    /// Sends a held-back update that is due.
    func flush(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number], job.throttle.flush(processed: job.counts.processed, now: turn.now.uptime)
        else { return }
        try emitProgress(job, turn)
    }

    /// Sends a held-back update before the terminal event of its job.
    func emitHeldProgress(of job: ActiveJob, _ turn: Turn) throws {
        if job.throttle.drain(processed: job.counts.processed, now: turn.now.uptime) { try emitProgress(job, turn) }
    }

    /// Handles an external `pushProgress`: changes only the status text (Services/README.md "JSON-RPC"). A text that shipped clients would mistake
    /// for the job's end (websocket.md "Payloads") is not shown, and only removes the text pushed before.
    func push(_ text: String, to id: JobID, _ turn: Turn) throws {
        guard let job = jobs[id] else {
            throw try turn.jobs.job(id, at: turn.now.settled) == nil ? HostFailure.noJob(id) : HostFailure.jobIsOver(id)
        }
        job.pushedStatus = StatusText.isNeutral(text) ? Self.pushedTextLimit.cut(text) : nil
        guard job.row.status == .processing else { return }
        try follow(job.throttle.holdOrEmit(now: turn.now.uptime, processed: job.counts.processed), of: job, turn)
    }

    func follow(_ decision: ProgressThrottle.Decision, of job: ActiveJob, _ turn: Turn) throws {
        if isEmitted(decision, of: job) { try emitProgress(job, turn) }
    }
}
