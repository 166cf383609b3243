import BookstrackContract
import Logging
import SuiteMethods

extension JobEngine {
    /// Tokens a job can have; the oldest go when a start is repeated more often.
    private static let tokensPerJob = 32

    /// Starts a job, or answers a repetition of its start with one more token (spec/02, spec/07 "Repeating a start").
    func create(
        _ id: JobID, pipeline: Pipeline, digest: String, items: [BookQuery], _ turn: Turn
    ) throws -> CreatedJob {
        guard !items.isEmpty, items.count <= policy.itemLimit else {
            throw HostFailure.invalidRequest("a job has 1 to \(policy.itemLimit) items")
        }
        if let existing = try turn.jobs.job(id) {
            guard existing.digest == digest else { throw HostFailure.jobExists(id) }
            let token = try issueToken(job: existing.number, turn)
            return CreatedJob(jobId: id, token: token, status: existing.status, totalCount: existing.total)
        }
        let number = try turn.jobs.insert(
            id, pipeline: pipeline, digest: digest, total: items.count, now: turn.now.wall,
            deadlineAt: turn.now.wall + policy.jobDeadline.milliseconds)
        try turn.items.insert(items, job: number)
        let token = try issueToken(job: number, turn)
        guard let row = try turn.jobs.job(number: number) else {
            throw HostFailure.storage("a job that was just written cannot be read")
        }
        try activate(row, turn)
        try admitAwaiting(id, job: number, turn)
        logger.info("job accepted", metadata: ["jobId": "\(id)", "items": "\(items.count)"])
        return CreatedJob(jobId: id, token: token, status: .pending, totalCount: items.count)
    }

    func beginDraft(_ parameters: BeginDraft.Parameters, owner: PeerID) throws -> BeginDraft.Result {
        guard drafts.count < policy.draftLimit else { throw HostFailure.tooManyDrafts }
        guard (1...policy.itemLimit).contains(parameters.totalCount) else {
            throw HostFailure.invalidRequest("a job has 1 to \(policy.itemLimit) items")
        }
        return BeginDraft.Result(
            draftId: drafts.add(
                DraftTable.Draft(
                    owner: owner, jobId: parameters.jobId, pipeline: parameters.pipeline, digest: parameters.digest,
                    totalCount: parameters.totalCount)))
    }

    func submitDraft(_ number: Int, owner: PeerID, _ turn: Turn) throws -> CreatedJob {
        let draft = try drafts.take(number, owner: owner)
        return try create(draft.jobId, pipeline: draft.pipeline, digest: draft.digest, items: draft.items, turn)
    }

    private func issueToken(job: Int64, _ turn: Turn) throws -> String {
        let token = TokenText.random()
        let expiresAt = turn.now.wall + policy.tokens.life.milliseconds
        _ = try turn.tokens.insert(job: job, hash: token.hash, expiresAt: expiresAt)
        try turn.tokens.keepNewest(Self.tokensPerJob, job: job)
        return token.text
    }

    /// Proves the right to a job; throws `unauthorized` or `tokenExpired`. A missing token costs the same work as a wrong one.
    func authorize(_ access: JobAccess, _ turn: Turn) throws -> (job: Int64, token: Int64?) {
        let hash = TokenText(text: access.token ?? "").hash
        let found = try turn.tokens.token(of: access.jobId, hash: hash)
        if access.token == nil, policy.tokenlessAllowed, let row = try turn.jobs.job(access.jobId) {
            return (row.number, nil)
        }
        guard let found else { throw HostFailure.unauthorized }
        switch found.state.verdict(at: turn.now) {
        case .valid: return (found.job, found.state.number)
        case .expired: throw HostFailure.tokenExpired
        case .revoked: throw HostFailure.unauthorized
        }
    }

    /// Rotates a token (spec/03 "Tokens").
    func refresh(_ request: TokenRefreshRequest, _ turn: Turn) throws -> TokenRefreshed {
        let hash = TokenText(text: request.oldToken).hash
        guard let found = try turn.tokens.token(of: request.jobId, hash: hash) else { throw HostFailure.unauthorized }
        switch found.state.rotation(at: turn.now, policy: policy.tokens) {
        case .revoked: throw HostFailure.unauthorized
        case .expired: throw HostFailure.tokenExpired
        case .tooEarly(let seconds): throw HostFailure.tokenRefreshTooEarly(seconds: seconds)
        case .rotate(let oldExpiresAt, let newExpiresAt):
            try turn.tokens.setExpiry(found.state.number, to: oldExpiresAt, supersede: true)
            let token = TokenText.random()
            _ = try turn.tokens.insert(job: found.job, hash: token.hash, expiresAt: newExpiresAt)
            try turn.tokens.keepNewest(Self.tokensPerJob, job: found.job)
            return TokenRefreshed(
                jobId: request.jobId, token: token.text,
                expiresAt: ISO8601Milliseconds.string(fromMilliseconds: newExpiresAt))
        }
    }
}
