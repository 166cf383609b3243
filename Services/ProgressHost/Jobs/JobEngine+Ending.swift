import BookstrackContract
import Logging
import NIOCore
import Observability
import SuiteMethods
import SuiteStorage

extension JobEngine {
    /// Schedules the end of `job` for the next group, which is synced; does nothing if the end is already scheduled or has begun.
    func scheduleEnd(_ job: ActiveJob) {
        guard !job.isEnding else { return }
        job.isEnding = true
        context.schedule(.end(job: job.row.number))
    }

    /// Ends a job for which `scheduleEnd` was called, and notifies its watchers. Runs in a synced group. Does nothing if the job has been cancelled
    /// in the meantime.
    func end(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number], job.row.status != .cancelling else { return }
        if let open = readingSteps[number] { return try failImport(open, faultWithoutWorker(open), turn) }
        if let scan = try turn.scans.scan(job.row) { return try endScan(job, scan, turn) }
        try emitHeldProgress(of: job, turn)
        let failure = JobFailure(job.counts)
        let expiresAt = try planBackgroundRetries(of: job, turn)
        conclude(job, as: failure == nil ? .completed : .failed, expiresAt: expiresAt, turn)
        if let failure {
            if job.row.pipeline == .aiScan { try emit(.failing, of: job, turn) { try $0.failing(failure) } }
            let affected = try turn.items.failedTitles(job: number, limit: 10)
            try emit(.failed, of: job, turn) { try $0.failed(failure, affectedItems: affected) }
        } else {
            let books: ByteBuffer? =
                switch job.row.origin.completionBooks {
                case .none, .imported: nil
                case .enriched: try turn.items.completionRows(job: number, atMost: policy.completionBooksLimit)
                }
            try emit(.completed, of: job, turn) {
                try $0.completed(endedAt: turn.now.wall, expiresAt: expiresAt, books: books)
            }
        }
        context.note(failure == nil ? .completed : .failed, of: job.row, result: failure.map { "\($0)" }, turn)
        try retire(job, turn)
    }

    /// Plans background retries, and returns when the results expire: no earlier than ``HostPolicy/backgroundGrace`` after these retries and after
    /// the follow-ups that were planned before the job's end.
    func planBackgroundRetries(of job: ActiveJob, _ turn: Turn) throws -> Int64 {
        let endedAt = turn.now.settled
        if let first = policy.retries.nextBackground(after: endedAt, endedAt: endedAt),
            try turn.later.planBackground(job: job.row.number, dueAt: first.due) > 0
        {
            work.planLater(job.row, .backgroundRetry, at: first.due, turn)
        }
        let ordinary = turn.now.wall + policy.resultsTTL.milliseconds
        guard let last = try turn.later.lastDue(job: job.row.number) else { return ordinary }
        let until = turn.now.wall(atSettled: last) + policy.backgroundGrace.milliseconds
        try turn.tokens.extendLife(job: job.row.number, to: until, now: endedAt)
        return max(ordinary, until)
    }

    /// Stores the end of a job, removes it from memory and from the queue, and closes its sockets unless they may stay open.
    func retire(_ job: ActiveJob, _ turn: Turn) throws {
        let row = job.row
        try turn.jobs.markEnded(
            row.number, status: row.status, at: row.endedAt ?? turn.now.wall,
            expiresAt: row.expiresAt ?? turn.now.wall)
        if let measures = job.measures { rollups.note(measures, of: row) }
        jobs.remove(job)
        context.afterCommit(Effect(commit: { [jobs] in jobs.list(ended: row.number) }))
        work.remove(job)
        context.tally.noteEnd(of: row)
        context.timers.cancel(.flush(job: row.number))
        context.timers.cancel(.keepAlive(job: row.number))
        try streams.conclude(row, turn)
        logger.info(
            "job ended",
            metadata: [
                "jobId": "\(row.id)", "status": "\(row.status.rawValue)", "succeeded": "\(job.counts.succeeded)",
                "failed": "\(job.counts.withoutResult)",
            ])
    }

    /// Cancels a job for an authorized caller.
    func cancel(_ access: JobAccess, _ turn: Turn) throws -> CancelOutcome {
        try cancel(job: tokens.authorizeByIdentifier(access, turn), turn)
    }

    /// Cancels a job: no further results are stored, workers stop, and watchers are notified (websocket.md "Cancelling"). A job that has ended or is
    /// already being cancelled is unchanged.
    func cancel(job number: Int64, _ turn: Turn) throws -> CancelOutcome {
        guard let job = jobs[number] else {
            guard let row = try turn.jobs.job(number: number) else { throw HostFailure.unauthorized }
            return CancelOutcome(
                jobId: row.id, status: row.status, message: "Job has already ended (\(row.status.rawValue))",
                cleanup: .init(itemsDiscarded: 0, uploadsDeleted: 0))
        }
        guard job.row.status != .cancelling else {
            return CancelOutcome(
                jobId: job.row.id, status: .cancelling, message: "Job is being cancelled",
                cleanup: .init(itemsDiscarded: 0, uploadsDeleted: 0))
        }
        try emitHeldProgress(of: job, turn)
        let discarded = job.openItems
        job.endOpenItems(as: .skipped, .cancelled)
        // The items are ended in steps, and claims are answered between the steps, so planned follow-ups must be removed first.
        try turn.items.forgetLater(job: number)
        countEndedItems(discarded, of: job.row, as: .skipped, .cancelled)
        let file = readingSteps[number]
        let photos = try discardPhotos(of: job, turn)
        let uploads = file.map(readingSteps.close) == true ? 1 : photos
        job.row.status = .cancelling
        job.isEnding = true
        work.remove(job)
        try endRemainingItems(number, turn)
        work.withdraw(job.row)
        if let linked = file?.enrichment, jobs[linked] != nil { _ = try cancel(job: linked, turn) }
        let isDone = job.row.status == .cancelled
        return CancelOutcome(
            jobId: job.row.id, status: job.row.status, message: isDone ? "Job cancelled" : "Job is being cancelled",
            cleanup: .init(itemsDiscarded: discarded, uploadsDeleted: uploads))
    }

    /// Ends one batch of items of a job that is being cancelled or fails with its import and, after the last item, the job.
    func endRemainingItems(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number] else { return }
        let places = job.endedPlaces..<min(job.endedPlaces + policy.itemsEndedPerStep, job.row.total)
        try turn.items.endQueued(job: number, as: .skipped, error: .cancelled, places: places)
        job.endedPlaces = places.upperBound
        guard places.upperBound == job.row.total else {
            try turn.jobs.markCancelling(number)
            return context.schedule(.endRemainingItems(job: number))
        }
        if job.failsWithImport { return try endFailedLink(job, turn) }
        conclude(job, as: .cancelled, turn)
        context.note(.cancelled, of: job.row, turn)
        try emit(.cancelled, of: job, turn) { try $0.cancelled() }
        try retire(job, turn)
    }

    /// Cancels a job at a client's request over its socket; a job that has already ended is unchanged.
    func cancelFromSocket(_ number: Int64, _ turn: Turn) throws {
        if jobs[number] != nil { _ = try cancel(job: number, turn) }
    }

    /// Ends jobs whose deadline has passed, up to a limit, and sets the timer for the next deadline. A job that waits for its import ends with the
    /// import, which has the same deadline (imports.md "Linked enrichment").
    func checkDeadlines(_ turn: Turn) throws {
        var next: Duration?
        var left = policy.deadlinesPerStep
        for job in jobs.all where !job.isEnding && !job.isHeld {
            if left > 0, job.deadline <= turn.now.uptime {
                try runOutOfTime(job, turn)
                left -= 1
            } else {
                next = min(next ?? job.deadline, job.deadline)
            }
        }
        if let next { context.timers.set(.deadlines, at: next) }
    }

    /// Fails the items without an outcome, and schedules the end of the job (jobs.md "Ends").
    private func runOutOfTime(_ job: ActiveJob, _ turn: Turn) throws {
        let failed = try turn.items.endQueued(job: job.row.number, as: .failed, error: .deadlineExceeded)
        job.endOpenItems(as: .failed, .deadlineExceeded)
        countEndedItems(failed, of: job.row, as: .failed, .deadlineExceeded)
        work.withdraw(job.row)
        scheduleEnd(job)
    }

    /// Counts items that end together with their job.
    func countEndedItems(_ count: Int, of job: JobRow, as outcome: ItemOutcomeLabel, _ code: ItemErrorCode) {
        jobs.itemsEnded(count)
        context.tally.endedItems.append(.init(pipeline: job.pipeline, outcome: outcome, errorCode: code, count: count))
    }
}
