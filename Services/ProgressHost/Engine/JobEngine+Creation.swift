import BookstrackContract
import GRDB
import Logging
import Observability
import SuiteMethods

extension JobEngine {
    /// Starts a job, or answers a repetition of its start with one more token (spec/02, spec/07 "Repeating a start").
    func create(
        _ id: JobID, pipeline: Pipeline, digest: String, items: [BookQuery], _ turn: Turn
    ) throws -> CreatedJob {
        guard !items.isEmpty, items.count <= policy.itemLimit else {
            throw HostFailure.invalidRequest("a job has 1 to \(policy.itemLimit) items")
        }
        Activity.current?.concern(job: id.text)
        if let existing = try turn.jobs.job(id, at: turn.now.wall) {
            guard existing.digest == digest else { throw HostFailure.jobExists(id) }
            let token = try issueToken(job: existing.number, turn).text
            return CreatedJob(jobId: id, token: token, status: existing.status, totalCount: existing.total)
        }
        // The identifier of a job that nobody can read any more is free.
        if let expired = try turn.sweep.expiredJob(id, at: turn.now.wall) { try turn.sweep.remove(expired) }
        let number = try turn.jobs.insert(
            id, pipeline: pipeline, digest: digest, total: items.count, trace: Activity.current?.trace,
            now: turn.now.wall, deadlineAt: turn.now.wall + policy.jobDeadline.milliseconds)
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

    func beginDraft(_ parameters: BeginDraft.Parameters, owner: PeerID, _ turn: Turn) throws -> BeginDraft.Result {
        guard (1...policy.itemLimit).contains(parameters.totalCount) else {
            throw HostFailure.invalidRequest("a job has 1 to \(policy.itemLimit) items")
        }
        let draft = DraftTable.Draft(
            owner: owner, jobId: parameters.jobId, pipeline: parameters.pipeline, digest: parameters.digest,
            totalCount: parameters.totalCount, until: turn.now.uptime + policy.draftPatience)
        return BeginDraft.Result(draftId: try drafts.add(draft, now: turn.now.uptime))
    }

    func appendToDraft(_ parameters: AppendToDraft.Parameters, owner: PeerID, _ turn: Turn) throws {
        try drafts.append(
            parameters.items, to: parameters.draftId, owner: owner, until: turn.now.uptime + policy.draftPatience)
    }

    func submitDraft(_ number: Int, owner: PeerID, _ turn: Turn) throws -> CreatedJob {
        let draft = try drafts.take(number, owner: owner)
        return try create(draft.jobId, pipeline: draft.pipeline, digest: draft.digest, items: draft.items, turn)
    }
}
