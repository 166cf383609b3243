import BookstrackContract
import Foundation
import GRDB

/// SQL statements on tokens, of which only the hashes are stored (websocket.md "Tokens").
struct TokenHashStore {
    /// A token of a job that is being replaced by a new job with the same identifier.
    struct Kept {
        let hash: Data
        let expiresAt: Int64
    }

    let db: Database

    func insert(job: Int64, hash: Data, expiresAt: Int64) throws -> Int64 {
        try db.cachedStatement(sql: "INSERT INTO token(job, hash, expires_at) VALUES (?, ?, ?)")
            .execute(arguments: [job, hash, expiresAt])
        return db.lastInsertedRowID
    }

    /// A job's token that has this hash; nil if there is none. Every token of the job is compared, and an unknown or expired job costs the same
    /// query.
    func token(of id: JobID, hash: Data, at now: Int64) throws -> (job: Int64, state: TokenState)? {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT token.number, token.expires_at, revoked, superseded, ready, delivered, hash, token.job
                    FROM job JOIN token ON token.job = job.number
                    WHERE job_id = ? AND (job.expires_at IS NULL OR job.expires_at > ?)
                    """), arguments: [id.text, now])
        var found: (job: Int64, state: TokenState)?
        for row in rows where equalInConstantTime(row[6], hash) { found = (row[7], Self.state(row)) }
        return found
    }

    /// The token with this number; nil if there is none or, given a job's identifier, if it belongs to another job.
    func token(number: Int64, of id: JobID? = nil) throws -> TokenState? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT number, expires_at, revoked, superseded, ready, delivered FROM token
                    WHERE number = ? AND (? IS NULL OR job = (SELECT number FROM job WHERE job_id = ?))
                    """), arguments: [number, id?.text, id?.text]
        ).map(Self.state)
    }

    /// Changes a token's expiry; `supersede` marks the token as rotated.
    func setExpiry(_ number: Int64, to expiresAt: Int64, supersede: Bool) throws {
        try db.cachedStatement(
            sql: "UPDATE token SET expires_at = ?, superseded = max(superseded, ?) WHERE number = ?"
        ).execute(arguments: [expiresAt, supersede, number])
    }

    /// Records that the token's client has sent `ready`.
    func markReady(_ number: Int64) throws {
        try db.cachedStatement(sql: "UPDATE token SET ready = 1 WHERE number = ?").execute(arguments: [number])
    }

    /// Records the newest event acknowledged by the token's client.
    func acknowledge(_ number: Int64, through seq: Int) throws {
        try db.cachedStatement(sql: "UPDATE token SET delivered = max(delivered, ?) WHERE number = ?")
            .execute(arguments: [seq, number])
    }

    /// Extends a job's unexpired tokens that are neither rotated nor revoked to at least `expiresAt`, so they last as long as its results
    /// (websocket.md "Tokens").
    func extendLife(job: Int64, to expiresAt: Int64, now: Int64) throws {
        try db.cachedStatement(
            sql: """
                UPDATE token SET expires_at = max(expires_at, ?)
                WHERE job = ? AND superseded = 0 AND revoked = 0 AND expires_at > ?
                """
        ).execute(arguments: [expiresAt, job, now])
    }

    /// A job's tokens, valid or not, oldest first.
    func all(job: Int64) throws -> [TokenState] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, expires_at, revoked, superseded, ready, delivered FROM token
                    WHERE job = ? ORDER BY number
                    """), arguments: [job]
        ).map(Self.state)
    }

    func count(job: Int64) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM token WHERE job = ?"), arguments: [job]) ?? 0
    }

    /// A job's newest unexpired tokens that are neither rotated nor revoked, oldest first, at most `limit`.
    func newestUnreplaced(job: Int64, at now: Int64, limit: Int) throws -> [Kept] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT hash, expires_at FROM token
                    WHERE job = ? AND superseded = 0 AND revoked = 0 AND expires_at > ? ORDER BY number DESC LIMIT ?
                    """), arguments: [job, now, limit]
        ).reversed().map { Kept(hash: $0["hash"], expiresAt: $0["expires_at"]) }
    }

    /// Removes a job's rotated tokens whose grace period has ended.
    func removeReplaced(job: Int64, now: Int64) throws {
        try db.cachedStatement(
            sql: "DELETE FROM token WHERE job = ? AND superseded = 1 AND expires_at <= ?"
        ).execute(arguments: [job, now])
    }

    /// Reads the columns `number, expires_at, revoked, superseded, ready, delivered` by position: finding columns by name costs more than the query,
    /// and nearly every connection reads a token.
    private static func state(_ row: Row) -> TokenState {
        TokenState(
            number: row[0], expiresAt: row[1], revoked: row[2], superseded: row[3], ready: row[4], delivered: row[5])
    }
}
