import BookstrackContract
import GRDB
import Logging
import NIOCore
import Observability
import SuiteMethods
import SuiteStorage

// MARK: Starting a job

extension JobEngine {
    /// How long after a job's first start the same address can repeat it without a token (http-api.md "Starting a job").
    private static let repeatLimit = Duration.seconds(600)

    /// Starts a job, or answers a repeated start with a token (http-api.md "Starting a job").
    func create(
        _ id: JobID, pipeline: Pipeline, digest: String, items: [BookQuery], origin: JobOrigin, _ turn: Turn
    ) throws -> CreatedJob {
        guard !items.isEmpty, items.count <= policy.itemLimit else {
            throw HostFailure.invalidRequest("a job needs 1 to \(policy.itemLimit) items")
        }
        Activity.current?.concern(job: id.text)
        var replaced: JobRow?
        if let existing = try turn.jobs.job(id, at: turn.now.settled) {
            let failure = HostFailure.jobExists(id, existing.status, origin.isKeyed == true ? .keyedBook : .books)
            guard existing.digest == digest else { throw failure }
            guard try isLookedUpAgain(existing, by: origin, turn) else {
                guard let token = try repeatedStart(of: existing, by: origin, turn) else { throw failure }
                return CreatedJob(jobId: id, token: token, status: existing.status, totalCount: existing.total)
            }
            replaced = existing
        }
        try checkRoom(for: items.count, of: origin.client)
        let earlier = try replaced.map { try removeForRepetition($0, turn) } ?? []
        try removeExpired(id, turn)
        let row = try insert(id, pipeline, digest: digest, items: items, origin, after: replaced, turn)
        for token in earlier {
            _ = try turn.tokens.insert(job: row.number, hash: token.hash, expiresAt: token.expiresAt)
        }
        let keyed = origin.isKeyed == true ? try tokens.issueKeyed(job: row, turn) : nil
        let token = try keyed ?? tokens.issue(job: row.number, turn).text
        try activate(row, turn)
        context.tally.noteStart(of: row)
        try connections.admitAwaiting(id, job: row.number, turn)
        context.note(.accepted, of: row, turn)
        logger.info("job accepted", metadata: ["jobId": "\(id)", "items": "\(items.count)"])
        return CreatedJob(jobId: id, token: token, status: .pending, totalCount: items.count)
    }

    /// Checks that further items may be open (jobs.md "Work"); throws `HostFailure.tooManyOpenItems`.
    func checkRoom(for items: Int, of client: String) throws {
        let open = jobs.openWork.items + items
        // If all clients together have no more open items than each one may have, the client's own need not be counted.
        guard open > policy.openItemsPerClient else { return }
        guard open <= policy.openItemLimit, jobs.openItems(of: client) + items <= policy.openItemsPerClient else {
            throw HostFailure.tooManyOpenItems
        }
    }

    /// Removes a job that is started again; returns the tokens that the new job takes over.
    private func removeForRepetition(_ job: JobRow, _ turn: Turn) throws -> [TokenStore.Kept] {
        let kept = try turn.tokens.newestUnreplaced(
            job: job.number, at: turn.now.settled, limit: JobTokens.byStarts - 1)
        streams.close(Array(streams.watchers(of: job.number)), code: .tryAgainLater, reason: "the job is restarting")
        try remove(job.number, turn)
        return kept
    }

    /// Removes an expired job, so that its identifier can be reused.
    func removeExpired(_ id: JobID, _ turn: Turn) throws {
        if let expired = try turn.sweep.expiredJob(id, at: turn.now.settled) { try remove(expired, turn) }
    }

    /// Removes a job that is not open, even if its photos are waiting to be read again.
    func remove(_ number: Int64, _ turn: Turn) throws {
        try turn.sweep.remove(number)
        if let scan = scans[number] { scans.forget(scan) }
    }

    /// Stores a new job.
    ///
    /// - Parameter replaced: The removed job with the same identifier that this job replaces; nil if there was none.
    func insert(
        _ id: JobID, _ pipeline: Pipeline, digest: String, items: [BookQuery] = [], _ origin: JobOrigin,
        after replaced: JobRow? = nil, _ turn: Turn
    ) throws -> JobRow {
        let number = try turn.jobs.insert(
            id, pipeline: pipeline, digest: digest, total: items.count, trace: Activity.current?.trace,
            origin: origin, after: replaced, now: turn.now.wall,
            deadlineAt: turn.now.wall + policy.jobDeadline.milliseconds)
        try turn.items.insert(items, job: number)
        // This is not a `HostFailure`, because after a `HostFailure` the rest of the group is committed.
        guard let row = try turn.jobs.job(number: number) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return row
    }

    /// A token for the caller of a repeated start; nil if the caller is not authorized for the job, or if the job can have no more tokens and the
    /// caller presents no valid one. Results echo the books to every caller with the jobId, so repeating the books proves nothing (http-api.md
    /// "Starting a job").
    func repeatedStart(of job: JobRow, by origin: JobOrigin, _ turn: Turn) throws -> String? {
        if hasKey(of: job, origin), let token = try tokens.issueKeyed(job: job, turn) { return token }
        let shown = try origin.shownToken.flatMap { text in
            try turn.tokens.token(of: job.id, hash: TokenText(text: text).hash, at: turn.now.settled)?.state
        }
        let isFirstCaller =
            !origin.client.isEmpty && origin.client == job.origin.client
            && (0..<Self.repeatLimit.milliseconds).contains(turn.now.elapsed(since: job.createdAt))
        guard shown?.provesEarlierStart(at: turn.now) == true || isFirstCaller else { return nil }
        if try tokens.hasRoom(job: job.number, atMost: JobTokens.byStarts, turn) {
            return try tokens.issue(job: job.number, turn).text
        }
        return shown?.verdict(at: turn.now) == .valid ? origin.shownToken : nil
    }

    /// Whether a start comes from the client that started the job with its own key.
    private func hasKey(of job: JobRow, _ origin: JobOrigin) -> Bool {
        origin.isKeyed == true && !origin.client.isEmpty && origin.client == job.origin.client
    }

    /// Whether a repeated start with a client's key restarts the job, because it ended without a result, for a reason that may have passed, and is
    /// not being retried (http-api.md "One book").
    private func isLookedUpAgain(_ job: JobRow, by origin: JobOrigin, _ turn: Turn) throws -> Bool {
        guard hasKey(of: job, origin), job.status.isTerminal, try !work.hasLaterWork(job.number, turn) else {
            return false
        }
        return try job.status == .cancelled || JobFailure(jobs.counts(job, turn)) != nil
    }

    func beginDraft(_ parameters: BeginDraft.Parameters, owner: PeerID, _ turn: Turn) throws -> BeginDraft.Result {
        guard (1...policy.itemLimit).contains(parameters.totalCount) else {
            throw HostFailure.invalidRequest("a job needs 1 to \(policy.itemLimit) items")
        }
        let draft = DraftTable.Draft(
            owner: owner, jobId: parameters.jobId, pipeline: parameters.pipeline, digest: parameters.digest,
            totalCount: parameters.totalCount, origin: parameters.origin, until: turn.now.uptime + policy.draftTimeout)
        return BeginDraft.Result(draftId: try drafts.add(draft, now: turn.now.uptime))
    }

    func appendToDraft(_ parameters: AppendToDraft.Parameters, owner: PeerID, _ turn: Turn) throws {
        try drafts.append(
            parameters.items, to: parameters.draftId, owner: owner, until: turn.now.uptime + policy.draftTimeout)
    }

    func submitDraft(_ number: Int, owner: PeerID, _ turn: Turn) throws -> CreatedJob {
        let draft = try drafts.take(number, owner: owner)
        return try create(
            draft.jobId, pipeline: draft.pipeline, digest: draft.digest, items: draft.items, origin: draft.origin, turn)
    }

    /// Marks a job as started, and sends its first event.
    func start(_ job: ActiveJob, _ turn: Turn) throws {
        try turn.jobs.markStarted(job.row.number, at: turn.now.wall)
        job.row.status = .processing
        job.row.startedAt = turn.now.wall
        jobs.started(job)
        context.note(.started, of: job.row, turn)
        try emit(.started, of: job, turn) { try $0.started() }
    }
}

// MARK: Events

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
    func publish(_ event: JobEvent, _ turn: Turn) throws {
        context.tally.events.append(event.stored.kind)
        try streams.broadcast(event.stored, composer: event.composer, turn)
    }

    func emitProgress(_ job: ActiveJob, _ turn: Turn) throws {
        logProgress(job)
        try emit(.progress, of: job, turn) { try $0.progress() }
    }

    /// Creates the event that reports an item's outcome, to be stored with the item; nil if the throttle holds it back.
    func outcomeEvent(of job: ActiveJob, _ turn: Turn) throws -> JobEvent? {
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

    /// Handles an external `pushProgress`: changes only the status text (Services/README.md "JSON-RPC"), and only to a string that shipped clients do
    /// not mistake for the job's end (websocket.md "Payloads").
    func push(_ text: String, to id: JobID, _ turn: Turn) throws {
        guard let job = jobs[id] else {
            throw try turn.jobs.job(id, at: turn.now.settled) == nil ? HostFailure.noJob(id) : HostFailure.jobIsOver(id)
        }
        job.pushedStatus = StatusText.isNeutral(text) ? Self.pushedTextLimit.cut(text) : nil
        guard job.row.status == .processing else { return }
        try follow(job.throttle.nudge(now: turn.now.uptime, processed: job.counts.processed), of: job, turn)
    }

    func follow(_ decision: ProgressThrottle.Decision, of job: ActiveJob, _ turn: Turn) throws {
        if isEmitted(decision, of: job) { try emitProgress(job, turn) }
    }
}

// MARK: Ending a job

extension JobEngine {
    /// Schedules the end of `job` for the next group, which is synced; does nothing if it is already scheduled.
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
        let expiresAt = try planAfterlife(job, turn)
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

    /// Plans background retries, and returns the time until which the results are kept.
    func planAfterlife(_ job: ActiveJob, _ turn: Turn) throws -> Int64 {
        let ordinary = turn.now.wall + policy.resultsTTL.milliseconds
        let endedAt = turn.now.settled
        guard let first = policy.retries.nextBackground(after: endedAt, endedAt: endedAt),
            try turn.later.planBackground(job: job.row.number, dueAt: first.due) > 0
        else { return ordinary }
        work.planLater(job.row, .backgroundRetry, at: first.due, turn)
        let until = turn.now.wall(atSettled: first.due) + policy.backgroundGrace.milliseconds
        try turn.tokens.extendLife(job: job.row.number, to: until, now: turn.now.settled)
        return max(ordinary, until)
    }

    /// Stores the end of a job, removes it from memory and from the queue, and ends its streams.
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

    /// Cancels a job: no further results are stored, workers stop, and watchers are notified (websocket.md "Cancelling").
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
        noteRest(of: job.row, .skipped, .cancelled, discarded)
        let file = readingSteps[number]
        let photos = try discardPhotos(of: job, turn)
        let uploads = file.map(readingSteps.close) == true ? 1 : photos
        job.row.status = .cancelling
        job.isEnding = true
        work.remove(job)
        try endRest(number, turn)
        work.withdraw(job.row)
        if let linked = file?.enrichment, jobs[linked] != nil { _ = try cancel(job: linked, turn) }
        let isDone = job.row.status == .cancelled
        return CancelOutcome(
            jobId: job.row.id, status: job.row.status, message: isDone ? "Job cancelled" : "Job is being cancelled",
            cleanup: .init(itemsDiscarded: discarded, uploadsDeleted: uploads))
    }

    /// For a job that is being cancelled or fails with its import: ends one batch of items and, after the last item, the job.
    func endRest(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number] else { return }
        let places = job.endedPlaces..<min(job.endedPlaces + policy.itemsEndedPerStep, job.row.total)
        try turn.items.endQueued(job: number, as: .skipped, error: .cancelled, places: places)
        job.endedPlaces = places.upperBound
        guard places.upperBound == job.row.total else {
            try turn.jobs.markCancelling(number)
            return context.schedule(.endRest(job: number))
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
        noteRest(of: job.row, .failed, .deadlineExceeded, failed)
        work.withdraw(job.row)
        scheduleEnd(job)
    }

    func noteRest(of job: JobRow, _ fate: ItemFate, _ code: ItemErrorCode, _ count: Int) {
        jobs.itemsEnded(count)
        context.tally.rests.append(.init(pipeline: job.pipeline, fate: fate, errorCode: code, count: count))
    }
}
