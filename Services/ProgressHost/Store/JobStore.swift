import BookstrackContract
import Foundation
import GRDB

/// Every statement on jobs and their events. Runs inside the engine's transaction; throws what SQLite says.
struct JobStore {
    let db: Database

    func insert(_ id: JobID, pipeline: Pipeline, digest: String, total: Int, now: Int64, deadlineAt: Int64) throws
        -> Int64
    {
        try db.cachedStatement(
            sql: """
                INSERT INTO job(job_id, pipeline, status, digest, total, created_at, deadline_at, last_update)
                VALUES (?, ?, 'pending', ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [id.text, pipeline.rawValue, digest, total, now, deadlineAt, now])
        return db.lastInsertedRowID
    }

    func job(_ id: JobID) throws -> JobRow? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(JobRow.columns) FROM job WHERE job_id = ?"), arguments: [id.text]
        ).flatMap(JobRow.init)
    }

    func job(number: Int64) throws -> JobRow? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(JobRow.columns) FROM job WHERE number = ?"), arguments: [number]
        ).flatMap(JobRow.init)
    }

    /// Jobs that have not ended, oldest first.
    func openJobs() throws -> [JobRow] {
        try Row.fetchAll(db, sql: "SELECT \(JobRow.columns) FROM job WHERE ended_at IS NULL ORDER BY number")
            .compactMap(JobRow.init)
    }

    func markStarted(_ number: Int64, at now: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET status = 'processing', started_at = ? WHERE number = ?")
            .execute(arguments: [now, number])
    }

    /// The job is over and its results can be read: their first revision.
    func markEnded(_ number: Int64, status: JobStatus, at now: Int64, expiresAt: Int64) throws {
        try db.cachedStatement(
            sql: """
                UPDATE job SET status = ?, ended_at = ?, expires_at = ?, results_revision = results_revision + 1
                WHERE number = ?
                """
        ).execute(arguments: [status.rawValue, now, expiresAt, number])
    }

    /// Lets results live at least until `expiresAt`.
    func extendLife(_ number: Int64, to expiresAt: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET expires_at = max(expires_at, ?) WHERE number = ?")
            .execute(arguments: [expiresAt, number])
    }

    func raiseRevision(_ number: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET results_revision = results_revision + 1 WHERE number = ?")
            .execute(arguments: [number])
    }

    func appendEvent(job: Int64, seq: Int, kind: String, frame: [UInt8], now: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO event(job, seq, kind, frame) VALUES (?, ?, ?, ?)")
            .execute(arguments: [job, seq, kind, Data(frame)])
        try db.cachedStatement(sql: "UPDATE job SET last_seq = ?, last_update = ? WHERE number = ?")
            .execute(arguments: [seq, now, job])
    }

    /// Drops events up to `seq`; an older `since` cannot be recovered afterwards.
    func dropEvents(job: Int64, through seq: Int) throws {
        try db.cachedStatement(sql: "DELETE FROM event WHERE job = ? AND seq <= ?").execute(arguments: [job, seq])
        try db.cachedStatement(sql: "UPDATE job SET recoverable_from = max(recoverable_from, ?) WHERE number = ?")
            .execute(arguments: [seq, job])
    }

    /// Raises every open job's `seq` by `jump`, because events after the last sync may have been sent and lost (spec/07).
    func jumpSequences(by jump: Int) throws {
        try db.execute(
            sql: """
                UPDATE job SET last_seq = last_seq + :jump, recoverable_from = last_seq + :jump WHERE ended_at IS NULL
                """, arguments: ["jump": jump])
    }

    func events(job: Int64, after seq: Int) throws -> [StoredEvent] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT seq, kind, frame FROM event WHERE job = ? AND seq > ? ORDER BY seq"),
            arguments: [job, seq]
        ).map(StoredEvent.init)
    }

    /// The newest event of a kind.
    func newestEvent(job: Int64, kind: String) throws -> StoredEvent? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT seq, kind, frame FROM event WHERE job = ? AND kind = ? ORDER BY seq DESC LIMIT 1"),
            arguments: [job, kind]
        ).map(StoredEvent.init)
    }

    /// Numbers of jobs whose results have lived long enough.
    func expiredJobs(at now: Int64, limit: Int) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT number FROM job WHERE expires_at <= ? ORDER BY expires_at LIMIT ?"),
            arguments: [now, limit])
    }

    /// Removes a job with everything that belongs to it.
    func remove(_ number: Int64) throws {
        let items = ItemNumber.range(ofJob: number)
        for table in ["item", "result"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id BETWEEN ? AND ?")
                .execute(arguments: [items.lowerBound, items.upperBound])
        }
        for table in ["event", "token"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE job = ?").execute(arguments: [number])
        }
        try db.cachedStatement(sql: "DELETE FROM job WHERE number = ?").execute(arguments: [number])
    }

    /// Gives free pages back to the file system, at most `pages`.
    func giveSpaceBack(pages: Int) throws {
        try db.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
    }
}
