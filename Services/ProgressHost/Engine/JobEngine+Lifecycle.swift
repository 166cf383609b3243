import BookstrackContract
import Logging
import SuiteMethods

extension JobEngine {
    /// The job's first item was claimed.
    func start(_ job: ActiveJob, _ turn: Turn) throws {
        try turn.jobs.markStarted(job.row.number, at: turn.now.wall)
        job.row.status = .processing
        job.row.startedAt = turn.now.wall
        try emit(.started, of: job, turn) { try $0.started() }
    }

    /// Every item has its outcome: ends the job and tells its watchers. Runs in a synced group.
    func end(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number] else { return }
        if job.throttle.drain(processed: job.counts.processed, now: turn.now.uptime) { try emitProgress(job, turn) }
        let nothingDone = try !turn.items.hasOutcomeBesidesProviderFailure(job: number)
        let status: JobStatus = nothingDone ? .failed : .completed
        let expiresAt = try planAfterlife(job, turn)
        job.row.status = status
        job.row.endedAt = turn.now.wall
        job.row.expiresAt = expiresAt
        let affected = nothingDone ? try turn.items.failedTitles(job: number, limit: 10) : []
        try emit(nothingDone ? .failed : .completed, of: job, turn) { composer in
            nothingDone
                ? try composer.failed(message: "no provider could be reached for any book", affectedItems: affected)
                : try composer.completed(endedAt: turn.now.wall, expiresAt: expiresAt)
        }
        try retire(job, turn)
    }

    /// Plans background retries and says until when the results live.
    private func planAfterlife(_ job: ActiveJob, _ turn: Turn) throws -> Int64 {
        let ordinary = turn.now.wall + policy.resultsLife.milliseconds
        guard let due = policy.retries.backgroundDue(round: 0, endedAt: turn.now.wall),
            try turn.later.planBackground(job: job.row.number, dueAt: due) > 0
        else { return ordinary }
        nextLater = min(nextLater ?? .max, due)
        armLater(turn)
        let extended = max(ordinary, due + policy.backgroundGrace.milliseconds)
        try turn.tokens.extendLife(
            job: job.row.number, to: due + policy.backgroundGrace.milliseconds, now: turn.now.wall)
        return extended
    }

    /// Writes the end of a job and takes it out of memory.
    private func retire(_ job: ActiveJob, _ turn: Turn) throws {
        let row = job.row
        try turn.jobs.markEnded(
            row.number, status: row.status, at: row.endedAt ?? turn.now.wall,
            expiresAt: row.expiresAt ?? turn.now.wall)
        jobs[row.number] = nil
        numbers[row.id] = nil
        queue.remove(row.number)
        closeWatchers(of: row)
        logger.info(
            "job ended",
            metadata: [
                "jobId": "\(row.id)", "status": "\(row.status.rawValue)", "succeeded": "\(job.counts.succeeded)",
                "failed": "\(job.counts.failed)",
            ])
    }

    /// Cancels for a caller who proves the right to it.
    func cancel(_ access: JobAccess, _ turn: Turn) throws -> CancelOutcome {
        try cancel(job: authorize(access, turn).job, turn)
    }

    /// Cancels a job: nothing further is stored, workers stop, watchers are told (spec/03 "Cancelling").
    func cancel(job number: Int64, _ turn: Turn) throws -> CancelOutcome {
        guard let job = jobs[number] else {
            guard let row = try turn.jobs.job(number: number) else { throw HostFailure.unauthorized }
            return CancelOutcome(
                jobId: row.id, status: row.status, message: "Job had already ended (\(row.status.rawValue))",
                cleanup: .init(itemsDiscarded: 0, uploadsDeleted: 0))
        }
        let discarded = try turn.items.skipQueued(job: number, error: .cancelled)
        try turn.items.forgetLater(job: number)
        job.endOpenItems(as: .skipped)
        job.row.status = .cancelled
        job.row.endedAt = turn.now.wall
        job.row.expiresAt = turn.now.wall + policy.resultsLife.milliseconds
        try emit(.cancelled, of: job, turn) { try $0.cancelled() }
        try retire(job, turn)
        withdraw(job.row, turn)
        return CancelOutcome(
            jobId: job.row.id, status: .cancelled, message: "Job cancelled",
            cleanup: .init(itemsDiscarded: discarded, uploadsDeleted: 0))
    }

    /// Takes a job's items back from the workers that hold them.
    private func withdraw(_ row: JobRow, _ turn: Turn) {
        let held = leases.removeAll { item, _ in item.job == row.number }
        for peer in Set(held.map(\.lease.holder)) {
            notify(WorkWithdrawn.self, WorkWithdrawn.Parameters(jobs: [row.id]), to: peer)
        }
    }

    /// The job ran out of time: what has no outcome fails, and the job ends (spec/05 "No job stays processing for ever").
    func deadline(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number], job.row.deadlineAt <= turn.now.wall, !job.isEnding else { return }
        _ = try turn.items.skipQueued(job: number, error: .deadlineExceeded)
        job.endOpenItems(as: .skipped)
        withdraw(job.row, turn)
        scheduleEnd(job)
    }

    /// A job's state (`GET /v1/jobs/{jobId}`).
    func state(_ access: JobAccess, _ turn: Turn) throws -> JobState {
        let number = try authorize(access, turn).job
        guard let row = try row(number, turn) else { throw HostFailure.unauthorized }
        let counts = try counts(row, turn)
        var state = JobState(
            jobId: row.id, pipeline: row.pipeline, totalCount: row.total, createdAt: Self.iso(row.createdAt))
        state.status = row.status
        state.progress = counts.progress
        state.processedCount = counts.processed
        state.successCount = counts.succeeded
        state.failureCount = counts.failed
        state.startedAt = row.startedAt.map(Self.iso)
        state.endedAt = row.endedAt.map(Self.iso)
        state.expiresAt = row.expiresAt.map(Self.iso)
        state.lastSeq = row.lastSeq
        state.resultsRevision = row.resultsRevision
        return state
    }

    private static func iso(_ milliseconds: Int64) -> String {
        ISO8601Milliseconds.string(fromMilliseconds: milliseconds)
    }

    /// Tokens of live sockets move on; jobs whose results have lived long enough go, with everything that belongs to them.
    func keepHouse(_ turn: Turn) throws {
        for number in Set(sessions.values.compactMap(\.tokenNumber)) {
            guard let token = try turn.tokens.token(number: number),
                let expiresAt = token.extended(at: turn.now, policy: policy.tokens)
            else { continue }
            try turn.tokens.setExpiry(number, to: expiresAt, supersede: false)
        }
        let expired = try turn.jobs.expiredJobs(at: turn.now.wall, limit: Self.jobsPerSweep)
        for number in expired { try turn.jobs.remove(number) }
        // A backlog goes in small steps, so that nobody waits behind it.
        let isBacklog = expired.count == Self.jobsPerSweep
        timers.set(.housekeeping, at: turn.now.uptime + (isBacklog ? .milliseconds(100) : .seconds(30)))
        guard !expired.isEmpty else { return }
        logger.info("expired jobs removed", metadata: ["count": "\(expired.count)"])
        try turn.jobs.giveSpaceBack(pages: 1_024)
    }

    private static let jobsPerSweep = 20
}
