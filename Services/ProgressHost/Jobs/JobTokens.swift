import BookstrackContract
import Crypto
import Foundation
import Observability
import SuiteMethods

/// Issues, verifies and rotates job tokens (websocket.md "Tokens").
final class JobTokens {
    /// Number of a job's tokens at which a repeated start without the client's own key issues no more. Its caller then gets back the token that it
    /// presented, if that is valid; otherwise, the start is refused.
    static let byStarts = 32
    /// Maximum number of tokens of a job: each of its ``byStarts`` tokens may be rotated, and the old token stays valid alongside the new one for up
    /// to its grace period.
    private static let perJob = 64

    private let policy: TokenPolicy
    private let tokenlessAllowed: Bool
    /// Derives the tokens of jobs that clients start with their own keys; different in each run of the process.
    private let keySecret = SymmetricKey(size: .bits256)
    /// Tokens whose clients have sent `ready`, until this is stored: readiness is recorded even while storage refuses writes.
    private var ready = UnstoredValues<Bool>()
    /// The newest acknowledged event of each token: acknowledgments are frequent, and only the last one matters.
    private var acknowledged = UnstoredValues<Int>()

    init(_ policy: HostPolicy) {
        self.policy = policy.tokens
        tokenlessAllowed = policy.tokenlessAllowed
    }

    /// Issues a token for a job.
    func issue(
        _ token: TokenText = .random(), job: Int64, _ turn: Turn
    ) throws -> (text: String, number: Int64, expiresAt: Int64) {
        let expiresAt = turn.now.wall + policy.ttl.milliseconds
        let number = try turn.tokens.insert(job: job, hash: token.hash, expiresAt: expiresAt)
        return (token.text, number, expiresAt)
    }

    /// The token for a start with the client's own key, or for its repetition: the same token for up to half of its lifetime, because the client may
    /// repeat the start without limit. Nil if that token is no longer valid or was rotated, or if the job has too many tokens.
    func issueKeyed(job: JobRow, _ turn: Turn) throws -> String? {
        let period = turn.now.settled / max(1, policy.ttl.milliseconds / 2)
        let signature = HMAC<SHA256>.authenticationCode(for: Data("\(job.id) \(period)".utf8), using: keySecret)
        let token = TokenText(bytes: Data(signature.prefix(TokenText.length)))
        if let known = try turn.tokens.token(of: job.id, hash: token.hash, at: turn.now.settled)?.state {
            return known.verdict(at: turn.now) == .valid && !known.superseded ? token.text : nil
        }
        guard try hasRoom(job: job.number, atMost: Self.perJob, turn) else { return nil }
        return try issue(token, job: job.number, turn).text
    }

    /// Whether a job may have another token. Rotated tokens past their grace period are removed first; no other token
    /// is ever removed to make room.
    func hasRoom(job: Int64, atMost limit: Int, _ turn: Turn) throws -> Bool {
        try turn.tokens.removeReplaced(job: job, now: turn.now.settled)
        return try turn.tokens.count(job: job) < limit
    }

    // MARK: Authorization

    /// Verifies that a caller is authorized for a job; throws `unauthorized` or `tokenExpired`. A missing token costs the same work as a wrong one.
    func authorize(_ access: JobAccess, _ turn: Turn) throws -> (job: Int64, token: TokenState) {
        Activity.current?.concern(job: access.jobId.text)
        let hash = TokenText(text: access.token ?? "").hash
        guard let found = try turn.tokens.token(of: access.jobId, hash: hash, at: turn.now.settled) else {
            throw HostFailure.unauthorized
        }
        switch found.state.verdict(at: turn.now) {
        case .valid: return (found.job, found.state)
        case .expired: throw HostFailure.tokenExpired
        case .revoked: throw HostFailure.unauthorized
        }
    }

    /// Returns the job that a caller may cancel, or whose counts it may read. Without a token, the job's identifier suffices if it cannot be guessed
    /// or `BOOKSTRACK_LEGACY_TOKENLESS` is on (websocket.md "Cancelling", imports.md "Routes"). Throws `noJob` if the identifier suffices but there
    /// is no such job, and otherwise the errors of ``authorize(_:_:)``.
    func authorizeByIdentifier(_ access: JobAccess, _ turn: Turn) throws -> Int64 {
        guard access.token == nil, tokenlessAllowed || access.jobId.isRandomUUID else {
            return try authorize(access, turn).job
        }
        Activity.current?.concern(job: access.jobId.text)
        guard let number = try turn.jobs.number(access.jobId, at: turn.now.settled) else {
            throw HostFailure.noJob(access.jobId)
        }
        return number
    }

    // MARK: Rotating

    /// Rotates a token (websocket.md "Tokens"); throws `unauthorized`, `tokenExpired` or `tokenRefreshTooEarly`.
    func refresh(_ request: TokenRefreshRequest, _ turn: Turn) throws -> TokenRefreshed {
        let hash = TokenText(text: request.oldToken).hash
        guard let found = try turn.tokens.token(of: request.jobId, hash: hash, at: turn.now.settled) else {
            throw HostFailure.unauthorized
        }
        switch found.state.rotation(at: turn.now, policy: policy) {
        case .revoked: throw HostFailure.unauthorized
        case .expired: throw HostFailure.tokenExpired
        case .tooEarly(let seconds): throw HostFailure.tokenRefreshTooEarly(seconds: seconds)
        case .rotate(let oldExpiresAt):
            guard try hasRoom(job: found.job, atMost: Self.perJob, turn) else {
                throw HostFailure.tokenRefreshTooEarly(seconds: Int(policy.rotationGrace.components.seconds))
            }
            try turn.tokens.setExpiry(found.state.number, to: oldExpiresAt, supersede: true)
            let token = try issue(job: found.job, turn)
            if wasReady(found.state) { try turn.tokens.markReady(token.number) }
            if let seq = delivered(found.state) { try turn.tokens.acknowledge(token.number, through: seq) }
            return TokenRefreshed(
                jobId: request.jobId, token: token.text,
                expiresAt: ISO8601Milliseconds.string(fromMilliseconds: token.expiresAt))
        }
    }

    /// Extends the tokens that may be extended; returns the expiry of each, or `Int64.max` for one that cannot be extended.
    func extend(_ numbers: [Int64], _ turn: Turn) throws -> [Int64: Int64] {
        var expiries: [Int64: Int64] = [:]
        for number in numbers {
            // A token that cannot be extended is not checked again.
            expiries[number] = .max
            guard let token = try turn.tokens.token(number: number) else { continue }
            if let expiresAt = token.extended(at: turn.now, policy: policy) {
                try turn.tokens.setExpiry(number, to: expiresAt, supersede: false)
                expiries[number] = expiresAt
            } else if case .tooEarly = token.rotation(at: turn.now, policy: policy) {
                // The end of the job or a retry has extended the token since the socket was opened.
                expiries[number] = token.expiresAt
            }
        }
        return expiries
    }

    // MARK: Ready clients

    /// Whether the token's client has ever sent `ready` for its job (websocket.md "Connection lifetime").
    func wasReady(_ token: TokenState) -> Bool { token.ready || ready[token.number] == true }

    /// Records that the token's client has sent `ready`.
    func noteReady(_ token: Int64) { ready[token] = true }

    /// Stores which clients have sent `ready`.
    func store(_ turn: Turn) throws {
        for token in ready.write().keys { try turn.tokens.markReady(token) }
    }

    // MARK: Acknowledged events

    /// The newest event acknowledged by the token's client; nil if there is none.
    func delivered(_ token: TokenState) -> Int? {
        let seq = max(token.delivered, acknowledged[token.number] ?? 0)
        return seq > 0 ? seq : nil
    }

    /// Records that the token's client has every event up to `seq`.
    func acknowledge(_ seq: Int, by token: Int64) { acknowledged[token] = max(seq, acknowledged[token] ?? 0) }

    func storeAcknowledgments(_ turn: Turn) throws {
        for (token, seq) in acknowledged.write() { try turn.tokens.acknowledge(token, through: seq) }
    }

    // MARK: The end of a turn

    /// Called after the commit: the values that the turn has stored no longer wait.
    func keepTurn() {
        ready.keepChanges()
        acknowledged.keepChanges()
    }

    /// Called after a failed transaction: the values that the turn has written wait to be stored again.
    func undoTurn() {
        ready.undoChanges()
        acknowledged.undoChanges()
    }
}
