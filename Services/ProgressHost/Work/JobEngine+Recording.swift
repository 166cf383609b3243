import BookstrackContract
import JSONRPC
import NIOCore
import Observability
import SuiteMethods
import SuiteStorage

extension JobEngine {
    /// Stores outcomes. If an item's first lookup is recorded twice, the first outcome counts (jobs.md "Durability"). A success is accepted from any
    /// worker (for later work, only while the item is leased), but a failure only from the worker that holds the item, because a repeated or late
    /// failure says nothing about the current attempt.
    func record(_ work: RecordWork, from peer: PeerID, _ turn: Turn) throws {
        for (outcome, row) in zip(work.outcomes, work.rows) {
            switch outcome.workClass {
            case .interactive, .bulk: try recordFirst(outcome, row: row, from: peer, turn)
            case .followUp, .backgroundRetry: try recordLater(outcome, row: row, from: peer, turn)
            }
        }
    }

    private func recordFirst(_ outcome: ItemOutcome, row: ByteBuffer, from peer: PeerID, _ turn: Turn) throws {
        guard let job = jobs[outcome.key.jobId], job.state(of: outcome.key.index) == .queued else { return }
        let item = ItemNumber(job: job.row.number, index: outcome.key.index)
        guard outcome.errorCode == nil || work[item]?.holder == peer else { return }
        let lease = work.endLease(of: item)
        context.timers.cancel(.retryItem(item))
        if job.row.status == .pending { try start(job, turn) }
        if let code = outcome.errorCode, try retry(item, of: job, after: code, turn) {
            return context.note(.recorded, of: job.row, index: item.index, result: "retry", code: code.rawValue, turn)
        }
        let state: ItemState = outcome.errorCode == nil ? .succeeded : .failed
        let followUpAt = outcome.followUp != .none && state == .succeeded ? turn.now.settled : nil
        job.measured(outcome.measure)
        if job.photos != nil { try turn.scans.note(outcome, of: item) }
        job.end(outcome.key.index, as: state, outcome.errorCode)
        jobs.itemsEnded()
        context.tally.note(outcome.errorCode, of: job.row, lease: lease, policy: policy, at: turn.now)
        context.note(
            .recorded, of: job.row, index: item.index, result: state == .succeeded ? "succeeded" : "failed",
            code: outcome.errorCode?.rawValue, turn)
        if let followUpAt { work.planLater(job.row, .followUp, at: followUpAt, turn) }
        job.latest = ActiveJob.LatestOutcome(
            item: item, title: outcome.title, found: state == .succeeded, asked: lease?.asked)
        job.pushedStatus = nil
        let event = try outcomeEvent(of: job, turn)
        try turn.items.storeOutcome(
            item, state, error: outcome.errorCode, notBefore: followUpAt, measure: outcome.measure, row: row,
            event: event.flatMap { try jobs.place($0.stored, of: item, job, turn) })
        if let event { try publish(event, turn) }
        if job.allItemsEnded { scheduleEnd(job) }
    }

    /// Plans another attempt within the job; false if there will be none.
    private func retry(_ item: ItemNumber, of job: ActiveJob, after code: ItemErrorCode, _ turn: Turn) throws -> Bool {
        let step = policy.retries.afterFailure(
            attempts: job.attempts(of: item.index), retryable: code.isRetryable, jitter: jitter())
        guard case .retry(let wait) = step else { return false }
        try turn.items.setAttempts(item, job.noteFailedAttempt(item.index))
        context.tally.retries += 1
        context.timers.set(.retryItem(item), at: turn.now.uptime + wait)
        return true
    }

    /// Records the outcome of a follow-up or a background retry. It may change the job's results and counts, but neither its status nor its events
    /// (http-api.md "Results").
    private func recordLater(_ outcome: ItemOutcome, row: ByteBuffer, from peer: PeerID, _ turn: Turn) throws {
        guard let job = try jobs.row(outcome.key.jobId, turn),
            let item = ItemNumber(job: job.number, index: outcome.key.index, total: job.total),
            let lease = work[item], lease.isLater, outcome.errorCode == nil || lease.holder == peer
        else { return }
        work.endLease(of: item)
        if outcome.errorCode == nil { context.tally.later.succeeded += 1 } else { context.tally.later.failed += 1 }
        switch outcome.errorCode {
        case nil:
            try jobs.changeOutcome(of: item, to: .succeeded, nil, turn)
            if try !isPoorer(row, outcome.measure, thanResultOf: item, turn) {
                if job.pipeline == .aiScan { try turn.scans.note(outcome, of: item) }
                try changeResult(item, of: job, to: row, isBetter: true, turn)
                try measureAgain(item, of: job, outcome.measure, turn)
            }
            try planFollowUp(outcome.followUp, item, of: job, turn)
        case let code? where code.isRetryable:
            try planNextRound(item, of: job, turn)
        case let code?:
            // No further attempt is planned. An item that has succeeded keeps its result, which only lacks facts.
            try turn.later.postpone(item, until: nil, round: policy.retries.background.count)
            guard try turn.items.state(item) == .failed else { return }
            try jobs.changeOutcome(of: item, to: .failed, code, turn)
            try changeResult(item, of: job, to: row, isBetter: false, turn)
            try measureAgain(item, of: job, outcome.measure, turn)
        }
    }

    /// Whether a result is less complete than the stored one, for example because the provider that supplied most of it no longer answers. A verified
    /// match is never poorer than one that needs a review.
    private func isPoorer(
        _ row: ByteBuffer, _ measure: ResultMeasure?, thanResultOf item: ItemNumber, _ turn: Turn
    ) throws -> Bool {
        guard let measure, let stored = try turn.items.measure(item), measure.quality < stored.quality,
            let result = try turn.items.result(item)
        else { return false }
        return !MatchedRow.isVerified(row) || MatchedRow.isVerified(result)
    }

    /// Counts a result in place of the previous one: in the job until it ends, then in the stored totals.
    private func measureAgain(_ item: ItemNumber, of job: JobRow, _ measure: ResultMeasure?, _ turn: Turn) throws {
        let previous = try turn.items.measure(item)
        guard let measure, measure != previous else { return }
        if let open = jobs[job.number] {
            open.measured(measure, insteadOf: previous)
        } else {
            rollups.note(measure, insteadOf: previous, of: job)
        }
        try turn.items.setMeasure(item, measure)
    }

    private func changeResult(
        _ item: ItemNumber, of job: JobRow, to row: ByteBuffer, isBetter: Bool, _ turn: Turn
    ) throws {
        let isNew = try turn.items.replaceResult(item, row: row)
        // Before the job's end, no client can have read an earlier revision.
        guard isNew, job.endedAt != nil else { return }
        try turn.jobs.raiseRevision(job.number)
        if isBetter { try noteImproved(item, turn) }
    }

    /// Plans the next step after a successful follow-up or background retry. Immediate follow-ups are limited: an item for which the worker keeps
    /// requesting follow-ups waits for the next background round.
    private func planFollowUp(_ followUp: FollowUpRequest, _ item: ItemNumber, of job: JobRow, _ turn: Turn) throws {
        switch followUp {
        case .none: break
        case .later: try planNextRound(item, of: job, turn)
        case .soon:
            let step = try turn.later.round(item) + 1
            guard step <= policy.followUpSteps else { return try planNextRound(item, of: job, turn) }
            try turn.later.postpone(item, until: turn.now.settled, round: step)
            if job.endedAt != nil { try keepReadable(job.number, until: turn.now.settled, turn) }
            work.planLater(job, .followUp, at: turn.now.settled, turn)
        }
    }

    /// Plans the next background round of an item, if there is one left.
    private func planNextRound(_ item: ItemNumber, of job: JobRow, _ turn: Turn) throws {
        let now = turn.now
        let endedAt = now.settled - (job.endedAt.map(now.elapsed(since:)) ?? 0)
        guard let next = policy.retries.nextBackground(after: now.settled, endedAt: endedAt)
        else { return try turn.later.postpone(item, until: nil, round: policy.retries.background.count) }
        try turn.later.postpone(item, until: next.due, round: next.round)
        if job.endedAt != nil { try keepReadable(job.number, until: next.due, turn) }
        let lane: WorkQueue.Lane = try turn.items.state(item) == .succeeded ? .followUp : .backgroundRetry
        work.planLater(job, lane, at: next.due, turn)
    }

    /// Extends the lifetime of results and tokens beyond `due`, the settled time of later work or of a webhook (jobs.md "Retries").
    func keepReadable(_ job: Int64, until due: Int64, _ turn: Turn) throws {
        let until = turn.now.wall(atSettled: due) + policy.backgroundGrace.milliseconds
        try turn.jobs.extendLife(job, to: until)
        try turn.tokens.extendLife(job: job, to: until, now: turn.now.settled)
    }

    /// Authorizes a client and retries its job (`POST /v1/jobs/{jobId}/retry`).
    func retryFailed(_ access: JobAccess, _ turn: Turn) throws -> RetryOutcome {
        try retryFailed(job: tokens.authorize(access, turn).job, turn)
    }

    /// Retries the failed items (except those with an invalid ISBN) and photos of a completed or failed job immediately; does nothing for a job with
    /// any other status. Throws `notRetryable` for an import, and `retriedTooOften` within ``HostPolicy/retryPause`` of the last retry.
    func retryFailed(job number: Int64, _ turn: Turn) throws -> RetryOutcome {
        guard let row = try jobs.row(number, turn) else { throw HostFailure.unauthorized }
        guard try row.pipeline != .csvImport || turn.imports.import(row) == nil else {
            throw HostFailure.notRetryable(row.id)
        }
        guard row.status == .completed || row.status == .failed else {
            return RetryOutcome(jobId: row.id, status: row.status, retrying: 0)
        }
        if let last = try turn.later.lastRetry(job: number) {
            let wait = last + policy.retryPause.milliseconds - turn.now.settled
            guard wait <= 0 || last > turn.now.settled else {
                throw HostFailure.retriedTooOften(seconds: Int((wait + 999) / 1_000))
            }
        }
        let photos = try retryPhotos(of: row, turn)
        let retrying = try turn.later.retryFailed(job: number, at: turn.now.settled) + photos
        if retrying > 0 {
            try turn.later.noteRetry(job: number, at: turn.now.settled)
            work.planLater(row, .backgroundRetry, at: turn.now.settled, turn)
            try keepReadable(number, until: turn.now.settled, turn)
        }
        return RetryOutcome(jobId: row.id, status: row.status, retrying: retrying)
    }
}

/// The part of a result that states whether the match is verified.
private struct MatchedRow: Decodable {
    struct Book: Decodable { var work: Work }
    struct Work: Decodable { var reviewStatus: ReviewStatus }

    /// The book of an `EnrichedBook`.
    var enriched: Book?
    /// The book of a `ScannedBook`.
    var enrichment: Book?

    static func isVerified(_ row: ByteBuffer) -> Bool {
        let match = try? BodyCoding.decode(MatchedRow.self, from: row)
        return (match?.enriched ?? match?.enrichment)?.work.reviewStatus == .verified
    }
}
