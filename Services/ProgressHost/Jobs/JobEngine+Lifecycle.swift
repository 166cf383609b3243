import BookstrackContract
import Logging
import NIOCore
import Observability
import SuiteMethods
import SuiteStorage

extension JobEngine {
    /// The job's first item was claimed.
    func start(_ job: ActiveJob, _ turn: Turn) throws {
        try turn.jobs.markStarted(job.row.number, at: turn.now.wall)
        job.row.status = .processing
        job.row.startedAt = turn.now.wall
        openWork.started(job.row.pipeline)
        note(.started, of: job.row, turn)
        try emit(.started, of: job, turn) { try $0.started() }
    }

    /// Every item has its outcome: ends the job and tells its watchers. Runs in a synced group.
    func end(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number] else { return }
        if job.throttle.drain(processed: job.counts.processed, now: turn.now.uptime) { try emitProgress(job, turn) }
        let failure = try turn.items.failure(job: number)
        let expiresAt = try planAfterlife(job, turn)
        job.row.status = failure == nil ? .completed : .failed
        job.row.endedAt = turn.now.wall
        job.row.expiresAt = expiresAt
        if let failure {
            if job.row.isFailedScan { try emit(.failing, of: job, turn) { try $0.failing(failure) } }
            let affected = try turn.items.failedTitles(job: number, limit: 10)
            try emit(.failed, of: job, turn) { try $0.failed(failure, affectedItems: affected) }
        } else {
            let books: ByteBuffer? =
                switch job.row.origin.completionBooks {
                case .none: nil
                case .enriched: try turn.items.completionRows(job: number, atMost: policy.completionBooksLimit)
                }
            try emit(.completed, of: job, turn) {
                try $0.completed(endedAt: turn.now.wall, expiresAt: expiresAt, books: books)
            }
        }
        note(failure == nil ? .completed : .failed, of: job.row, result: failure.map { "\($0)" }, turn)
        try retire(job, turn)
    }

    /// Plans background retries and says until when the results live.
    private func planAfterlife(_ job: ActiveJob, _ turn: Turn) throws -> Int64 {
        let ordinary = turn.now.wall + policy.resultsLife.milliseconds
        guard let first = policy.retries.nextBackground(after: turn.now.wall, endedAt: turn.now.wall) else {
            return ordinary
        }
        let due = turn.now.settled(atWall: first.due)
        guard try turn.later.planBackground(job: job.row.number, dueAt: due) > 0 else { return ordinary }
        planLater(job.row, .backgroundRetry, at: due, turn)
        let until = first.due + policy.backgroundGrace.milliseconds
        try turn.tokens.extendLife(job: job.row.number, to: until, now: turn.now.settled)
        return max(ordinary, until)
    }

    /// Writes the end of a job and takes it out of memory.
    private func retire(_ job: ActiveJob, _ turn: Turn) throws {
        let row = job.row
        try turn.jobs.markEnded(
            row.number, status: row.status, at: row.endedAt ?? turn.now.wall,
            expiresAt: row.expiresAt ?? turn.now.wall)
        jobs[row.number] = nil
        numbers[row.id] = nil
        let figure = job.figure
        effects.append(Effect(commit: { [self] in endedJobs.add(figure) }))
        queue.remove(
            row.number, of: row.origin.client, from: job.lane(interactiveLimit: policy.interactiveLimit))
        openWork.ended(row.pipeline, hadStarted: row.startedAt != nil)
        tally.noteEnd(of: row)
        timers.cancel(.flush(job: row.number))
        timers.cancel(.keepAlive(job: row.number))
        closeWatchers(of: row, turn)
        try serveStreams(turn)
        logger.info(
            "job ended",
            metadata: [
                "jobId": "\(row.id)", "status": "\(row.status.rawValue)", "succeeded": "\(job.counts.succeeded)",
                "failed": "\(job.counts.withoutResult)",
            ])
    }

    /// Cancels for a caller that proves the right to it.
    func cancel(_ access: JobAccess, _ turn: Turn) throws -> CancelOutcome {
        try cancel(job: authorizeCancel(access, turn), turn)
    }

    /// Cancels a job: nothing further is stored, workers stop, watchers are told (websocket.md "Cancelling").
    func cancel(job number: Int64, _ turn: Turn) throws -> CancelOutcome {
        guard let job = jobs[number] else {
            guard let row = try turn.jobs.job(number: number) else { throw HostFailure.unauthorized }
            return CancelOutcome(
                jobId: row.id, status: row.status, message: "Job had already ended (\(row.status.rawValue))",
                cleanup: .init(itemsDiscarded: 0, uploadsDeleted: 0))
        }
        if job.throttle.drain(processed: job.counts.processed, now: turn.now.uptime) { try emitProgress(job, turn) }
        let discarded = try turn.items.endQueued(job: number, as: .skipped, error: .cancelled)
        try turn.items.forgetLater(job: number)
        job.endOpenItems(as: .skipped, .cancelled)
        noteRest(of: job.row, .skipped, .cancelled, discarded)
        job.row.status = .cancelled
        job.row.endedAt = turn.now.wall
        job.row.expiresAt = turn.now.wall + policy.resultsLife.milliseconds
        note(.cancelled, of: job.row, turn)
        try emit(.cancelled, of: job, turn) { try $0.cancelled() }
        try retire(job, turn)
        withdraw(job.row)
        return CancelOutcome(
            jobId: job.row.id, status: .cancelled, message: "Job cancelled",
            cleanup: .init(itemsDiscarded: discarded, uploadsDeleted: 0))
    }

    /// Cancels for a client that asked over its socket; a job that is over by now stays what it is.
    func cancelFromSocket(_ number: Int64, _ turn: Turn) throws {
        if jobs[number] != nil { _ = try cancel(job: number, turn) }
    }

    /// Takes a job's items back from every worker: one whose lease ran out may still be on them.
    private func withdraw(_ row: JobRow) {
        _ = leases.removeAll { item, _ in item.job == row.number }
        guard row.startedAt != nil else { return }
        for peer in workers.keys {
            notify(WorkWithdrawn.self, WorkWithdrawn.Parameters(jobs: [row.id]), to: peer)
        }
    }

    /// Ends jobs that ran out of time, and looks ahead to the next one that may.
    func checkDeadlines(_ turn: Turn) throws {
        var next: Int64?
        for job in Array(jobs.values) where !job.isEnding {
            if job.row.deadlineAt <= turn.now.settled {
                try runOutOfTime(job, turn)
            } else {
                next = min(next ?? .max, job.row.deadlineAt)
            }
        }
        if let next { timers.set(.deadlines, at: turn.now.uptime(atWall: next)) }
    }

    /// What has no outcome fails, and the job ends (jobs.md "Ends").
    private func runOutOfTime(_ job: ActiveJob, _ turn: Turn) throws {
        let failed = try turn.items.endQueued(job: job.row.number, as: .failed, error: .deadlineExceeded)
        job.endOpenItems(as: .failed, .deadlineExceeded)
        noteRest(of: job.row, .failed, .deadlineExceeded, failed)
        withdraw(job.row)
        scheduleEnd(job)
    }

    private func noteRest(of job: JobRow, _ fate: ItemFate, _ code: ItemErrorCode, _ count: Int) {
        openWork.itemsEnded(count)
        tally.rests.append(.init(pipeline: job.pipeline, fate: fate, errorCode: code, count: count))
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
        state.failureCount = counts.withoutResult
        state.failureCounts = counts.failures.ifAny
        state.laterRetries = try laterRetries(of: row, turn)
        state.waitingFor = isWaitingForWorker(row) ? ServiceName.enrichmentWorker.rawValue : nil
        state.startedAt = row.startedAt.map(Self.iso)
        state.endedAt = row.endedAt.map(Self.iso)
        state.expiresAt = row.expiresAt.map(Self.iso)
        state.lastSeq = row.lastSeq
        state.resultsRevision = row.resultsRevision
        return state
    }

    /// What of a job that is over is tried again by itself, or is being tried again.
    private func laterRetries(of row: JobRow, _ turn: Turn) throws -> JobState.LaterRetries? {
        guard row.endedAt != nil, let planned = try turn.later.plannedRetries(job: row.number) else { return nil }
        return JobState.LaterRetries(
            count: planned.count, nextAt: Self.iso(max(planned.next, turn.now.wall)))
    }

    /// Whether nothing can happen to an open job because no worker is connected.
    private func isWaitingForWorker(_ row: JobRow) -> Bool { !row.status.isTerminal && workers.isEmpty }

    private static func iso(_ milliseconds: Int64) -> String {
        ISO8601Milliseconds.string(fromMilliseconds: milliseconds)
    }
}

extension JobEngine {
    /// Jobs that are removed in one turn.
    private static let jobsPerSweep = 20
    /// Pages that are given back in one turn: 4 MiB.
    private static let pagesPerSweep = 1_024
    private static let longestInterval = Duration.seconds(30)
    private static let shortestInterval = Duration.milliseconds(500)
    /// A backlog goes in small steps, so that no command waits behind it.
    private static let backlogInterval = Duration.milliseconds(100)

    /// Tokens of live sockets move on; jobs whose results have lived long enough go, with everything that belongs to them. Also
    /// notices what a stepped wall clock has made due.
    func keepHouse(_ turn: Turn) throws {
        lookForEndingTokens(turn.now)
        try checkDeadlines(turn)
        try queueDueJobs(turn)
        let isBacklog = try sweep(turn)
        timers.set(.housekeeping, at: turn.now.uptime + (isBacklog ? Self.backlogInterval : interval))
    }

    /// Often enough that a live socket's token is looked at within its refresh window.
    private var interval: Duration {
        min(Self.longestInterval, max(Self.shortestInterval, policy.tokens.refreshWindow / 2))
    }

    /// Removes some of what is to go; says whether there is more.
    private func sweep(_ turn: Turn) throws -> Bool {
        let expired = try turn.sweep.expiredJobs(at: turn.now.settled, limit: Self.jobsPerSweep)
        for number in expired { try turn.sweep.remove(number) }
        if !expired.isEmpty { logger.info("expired jobs removed", metadata: ["count": "\(expired.count)"]) }
        let moreRows = try turn.sweep.deleteRows(limit: policy.rowsPerSweep)
        let morePages = try turn.sweep.giveSpaceBack(pages: Self.pagesPerSweep)
        return moreRows || morePages || expired.count == Self.jobsPerSweep
    }
}
