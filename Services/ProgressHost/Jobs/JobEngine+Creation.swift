import BookstrackContract
import GRDB
import Logging
import Observability
import SuiteMethods

extension JobEngine {
    /// After a job's first start, how long the same address needs no token to repeat it (http-api.md "Starting a job").
    private static let repeatLimit = Duration.seconds(600)

    /// Starts a job, or answers a repetition of its start with one more token (http-api.md "Starting a job").
    func create(
        _ id: JobID, pipeline: Pipeline, digest: String, items: [BookQuery], origin: JobOrigin, _ turn: Turn
    ) throws -> CreatedJob {
        guard !items.isEmpty, items.count <= policy.itemLimit else {
            throw HostFailure.invalidRequest("a job has 1 to \(policy.itemLimit) items")
        }
        Activity.current?.concern(job: id.text)
        if let existing = try turn.jobs.job(id, at: turn.now.settled) {
            guard existing.digest == digest, let token = try repeatedStart(of: existing, by: origin, turn) else {
                throw HostFailure.jobExists(id, existing.status)
            }
            return CreatedJob(jobId: id, token: token, status: existing.status, totalCount: existing.total)
        }
        // The identifier of a job that can no longer be read is free.
        if let expired = try turn.sweep.expiredJob(id, at: turn.now.settled) { try turn.sweep.remove(expired) }
        let number = try turn.jobs.insert(
            id, pipeline: pipeline, digest: digest, total: items.count, trace: Activity.current?.trace,
            origin: origin, now: turn.now.wall, deadlineAt: turn.now.wall + policy.jobDeadline.milliseconds)
        try turn.items.insert(items, job: number)
        let token = try issueToken(job: number, turn).text
        // Not a `HostFailure`: those are answered and the rest of the group is committed.
        guard let row = try turn.jobs.job(number: number) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        try activate(row, turn)
        tally.created.append(pipeline)
        try admitAwaiting(id, job: number, turn)
        note(.accepted, of: row, turn)
        logger.info("job accepted", metadata: ["jobId": "\(id)", "items": "\(items.count)"])
        return CreatedJob(jobId: id, token: token, status: .pending, totalCount: items.count)
    }

    /// A token for the caller of a repeated start; nil for one that proves no right to the job. Results echo the books to everybody who
    /// knows the jobId, so that the books prove nothing (http-api.md "Starting a job").
    private func repeatedStart(of job: JobRow, by origin: JobOrigin, _ turn: Turn) throws -> String? {
        let shown = try origin.shownToken.flatMap { text in
            try turn.tokens.token(of: job.id, hash: TokenText(text: text).hash, at: turn.now.settled)?.state
        }
        let age = turn.now.wall - job.createdAt
        let isFirstCaller =
            !origin.client.isEmpty && origin.client == job.origin.client
            && (0..<Self.repeatLimit.milliseconds).contains(age)
        guard shown?.provesEarlierStart(at: turn.now) == true || isFirstCaller else { return nil }
        if try hasRoomForToken(job: job.number, atMost: Self.tokensByStarts, turn) {
            return try issueToken(job: job.number, turn).text
        }
        return shown?.verdict(at: turn.now) == .valid ? origin.shownToken : nil
    }

    func beginDraft(_ parameters: BeginDraft.Parameters, owner: PeerID, _ turn: Turn) throws -> BeginDraft.Result {
        guard (1...policy.itemLimit).contains(parameters.totalCount) else {
            throw HostFailure.invalidRequest("a job has 1 to \(policy.itemLimit) items")
        }
        let draft = DraftTable.Draft(
            owner: owner, jobId: parameters.jobId, pipeline: parameters.pipeline, digest: parameters.digest,
            totalCount: parameters.totalCount, origin: parameters.origin, until: turn.now.uptime + policy.draftPatience)
        return BeginDraft.Result(draftId: try drafts.add(draft, now: turn.now.uptime))
    }

    func appendToDraft(_ parameters: AppendToDraft.Parameters, owner: PeerID, _ turn: Turn) throws {
        try drafts.append(
            parameters.items, to: parameters.draftId, owner: owner, until: turn.now.uptime + policy.draftPatience)
    }

    func submitDraft(_ number: Int, owner: PeerID, _ turn: Turn) throws -> CreatedJob {
        let draft = try drafts.take(number, owner: owner)
        return try create(
            draft.jobId, pipeline: draft.pipeline, digest: draft.digest, items: draft.items, origin: draft.origin, turn)
    }
}
