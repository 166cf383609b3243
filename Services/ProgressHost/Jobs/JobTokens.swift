import BookstrackContract
import Crypto
import Foundation
import Observability
import SuiteMethods

/// The tokens of jobs: issues, verifies and rotates them (websocket.md "Tokens").
final class JobTokens {
    /// Maximum number of tokens that a job's start and its repetitions issue. At this number a repeated start gets back
    /// the token it shows.
    static let byStarts = 32
    /// Maximum number of tokens of a job: each of the former may be rotated, and stays valid next to the new one for
    /// its grace period.
    private static let perJob = 64

    private let policy: TokenPolicy
    private let tokenlessAllowed: Bool
    /// Signs the tokens of jobs that clients start under keys of their own; another one in each run of the process.
    private let keySecret = SymmetricKey(size: .bits256)
    /// Tokens whose clients were ready, until this is stored.
    private var ready = ReadyTokens()
    private var acknowledged = Acknowledgements()

    init(_ policy: HostPolicy) {
        self.policy = policy.tokens
        tokenlessAllowed = policy.tokenlessAllowed
    }

    /// Issues another token of a job.
    func issue(
        _ token: TokenText = .random(), job: Int64, _ turn: Turn
    ) throws -> (text: String, number: Int64, expiresAt: Int64) {
        let expiresAt = turn.now.wall + policy.ttl.milliseconds
        let number = try turn.tokens.insert(job: job, hash: token.hash, expiresAt: expiresAt)
        return (token.text, number, expiresAt)
    }

    /// The token for a start under the client's own key, or its repetition: the same one for half of its lifetime, since the client may
    /// repeat the start without limit. Nil if it was rotated, or the job has too many tokens.
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

    // MARK: Proving

    /// Verifies a caller's right to a job; throws `unauthorized` or `tokenExpired`. A missing token costs the same work
    /// as a wrong one.
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

    /// The job that a caller may cancel, or whose counts it may read. Without a token the job's identifier is enough if
    /// it cannot be guessed or `BOOKSTRACK_LEGACY_TOKENLESS` is on (websocket.md "Cancelling", imports.md "Routes").
    /// Throws `noJob` if there is no such job, else like ``authorize(_:_:)``.
    func authorizeByIdentifier(_ access: JobAccess, _ turn: Turn) throws -> Int64 {
        guard access.token == nil, tokenlessAllowed || access.jobId.isRandomUUID else {
            return try authorize(access, turn).job
        }
        Activity.current?.concern(job: access.jobId.text)
        guard let row = try turn.jobs.job(access.jobId, at: turn.now.settled) else {
            throw HostFailure.noJob(access.jobId)
        }
        return row.number
    }

    // MARK: Rotating

    /// Rotates a token.
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
            if wasReady(found.state) { ready.add(token.number) }
            if let seq = delivered(found.state) { try turn.tokens.acknowledge(token.number, through: seq) }
            return TokenRefreshed(
                jobId: request.jobId, token: token.text,
                expiresAt: ISO8601Milliseconds.string(fromMilliseconds: token.expiresAt))
        }
    }

    /// Extends tokens that may be extended; returns the new expiry of each.
    func extend(_ numbers: [Int64], _ turn: Turn) throws -> [Int64: Int64] {
        var expiries: [Int64: Int64] = [:]
        for number in numbers {
            // A token that cannot be extended is not checked again.
            expiries[number] = .max
            guard let token = try turn.tokens.token(number: number),
                let expiresAt = token.extended(at: turn.now, policy: policy)
            else { continue }
            try turn.tokens.setExpiry(number, to: expiresAt, supersede: false)
            expiries[number] = expiresAt
        }
        return expiries
    }

    // MARK: Ready clients

    /// Whether the client that holds a token was ready once for its job (websocket.md "Connection lifetime").
    func wasReady(_ token: TokenState) -> Bool { token.ready || ready.contains(token.number) }

    /// Notes that the client that holds a token is ready.
    func noteReady(_ token: Int64) { ready.add(token) }

    /// Stores which clients were ready.
    func store(_ turn: Turn) throws {
        for token in ready.write() { try turn.tokens.markReady(token) }
    }

    // MARK: Acknowledged events

    /// The newest event that the client that holds a token has acknowledged; nil if there is none.
    func delivered(_ token: TokenState) -> Int? {
        let seq = max(token.delivered, acknowledged[token.number] ?? 0)
        return seq > 0 ? seq : nil
    }

    /// Notes that the client that holds a token has every event up to `seq`.
    func acknowledge(_ seq: Int, by token: Int64) { acknowledged.add(seq, of: token) }

    /// Stores what clients have acknowledged.
    func storeAcknowledgements(_ turn: Turn) throws {
        for (token, seq) in acknowledged.write() { try turn.tokens.acknowledge(token, through: seq) }
    }

    // MARK: The end of a turn

    /// Keeps the turn's changes.
    func keepTurn() {
        ready.keepChanges()
        acknowledged.keepChanges()
    }

    /// Reverts the turn's changes.
    func undoTurn() {
        ready.undoChanges()
        acknowledged.undoChanges()
    }
}
