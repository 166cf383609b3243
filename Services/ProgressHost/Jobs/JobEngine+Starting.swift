import BookstrackContract
import GRDB
import Logging
import Observability
import SuiteMethods

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
        let open = jobs.openWork.items + itemsExpected() + items
        // If all clients together have no more open items than each one may have, the client's own need not be counted.
        guard open > policy.openItemsPerClient else { return }
        let ofClient = jobs.openItems(of: client) + itemsExpected(of: client) + items
        guard open <= policy.openItemLimit, ofClient <= policy.openItemsPerClient else {
            throw HostFailure.tooManyOpenItems
        }
    }

    /// Number of further items that unread imports are expected to add to their linked jobs. Unless `client` is nil, only that client's imports
    /// count.
    private func itemsExpected(of client: String? = nil) -> Int {
        readingSteps.all.reduce(0) { sum, open in
            guard client == nil || client == open.client, let linked = heldEnrichment(of: open) else { return sum }
            return sum + max(0, min(open.file.lines, policy.openItemsPerClient) - linked.row.total)
        }
    }

    /// Removes a job that is started again, and closes its sockets; returns the tokens that the new job takes over.
    private func removeForRepetition(_ job: JobRow, _ turn: Turn) throws -> [TokenHashStore.Kept] {
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

    /// Whether a start has a client's own key and comes from the client that started the job.
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
