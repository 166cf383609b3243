import BookstrackContract
import Foundation
import GRDB
import NIOCore
import Observability
import SuiteMethods
import SuiteStorage

/// SQL statements on jobs and their events, in the engine's transactions and on read connections. Throws SQLite's errors.
struct JobStore {
    let db: Database

    /// Stores a new job and returns its number.
    ///
    /// A job that replaces another one continues the replaced job's `seq` and revision, so that clients do not mistake the new job's events and
    /// results for old ones. The replacement itself raises the `seq` by one (websocket.md "Frames").
    func insert(
        _ id: JobID, pipeline: Pipeline, digest: String, total: Int, trace: TraceContext?, origin: JobOrigin,
        after replaced: JobRow?, now: Int64, deadlineAt: Int64
    ) throws -> Int64 {
        let seq = replaced.map { $0.lastSeq + 1 } ?? 0
        try db.cachedStatement(
            sql: """
                INSERT INTO job(
                    job_id, pipeline, status, digest, total, created_at, deadline_at, trace_id, request_id, client,
                    priority, completion_books, source, callback_url, seq_floor, recoverable_from, results_revision)
                VALUES (?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.text, pipeline.rawValue, digest, total, now, deadlineAt, trace?.traceID, trace?.requestID,
                origin.client, origin.priority?.rawValue, origin.completionBooks.rawValue,
                origin.source?.rawValue, origin.callbackURL, seq, seq, replaced?.resultsRevision ?? 0,
            ])
        return db.lastInsertedRowID
    }

    /// The job with this identifier; nil if there is none, or if its results have expired, even if the job has not been swept yet.
    func job(_ id: JobID, at now: Int64) throws -> JobRow? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(JobRow.columns) FROM job WHERE job_id = ? AND (expires_at IS NULL OR expires_at > ?)
                    """), arguments: [id.text, now]
        ).flatMap(JobRow.init)
    }

    func job(number: Int64) throws -> JobRow? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(JobRow.columns) FROM job WHERE number = ?"), arguments: [number]
        ).flatMap(JobRow.init)
    }

    /// A job's counts, derived from its items or, for an import, from its stored figures.
    func counts(_ job: JobRow) throws -> JobCounts {
        if job.pipeline == .csvImport, let counts = try ImportStore(db: db).counts(job: job.number) { return counts }
        return try ItemStore(db: db).counts(job: job.number, total: job.total)
    }

    /// Jobs that have not ended, oldest first.
    func openJobs() throws -> [JobRow] {
        try Row.fetchAll(db, sql: "SELECT \(JobRow.columns) FROM job WHERE ended_at IS NULL ORDER BY number")
            .compactMap(JobRow.init)
    }

    /// The newest job's number; nil if there is none.
    func lastNumber() throws -> Int64? { try Int64.fetchOne(db, sql: "SELECT max(number) FROM job") }

    func markStarted(_ number: Int64, at now: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET status = 'processing', started_at = ? WHERE number = ?")
            .execute(arguments: [now, number])
    }

    func setPriority(_ number: Int64, _ priority: JobPriority) throws {
        try db.cachedStatement(sql: "UPDATE job SET priority = ? WHERE number = ?")
            .execute(arguments: [priority.rawValue, number])
    }

    /// Sets the status `cancelling`, which a job has while its remaining items are ended in several steps.
    func markCancelling(_ number: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET status = 'cancelling' WHERE number = ?").execute(arguments: [number]
        )
    }

    /// Stores the end of a job, after which its results can be read; this raises their revision.
    func markEnded(_ number: Int64, status: JobStatus, at now: Int64, expiresAt: Int64) throws {
        try db.cachedStatement(
            sql: """
                UPDATE job SET status = ?, ended_at = ?, expires_at = ?, results_revision = results_revision + 1
                WHERE number = ?
                """
        ).execute(arguments: [status.rawValue, now, expiresAt, number])
    }

    /// Extends the lifetime of results to at least `expiresAt`.
    func extendLife(_ number: Int64, to expiresAt: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET expires_at = max(expires_at, ?) WHERE number = ?")
            .execute(arguments: [expiresAt, number])
    }

    func raiseRevision(_ number: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET results_revision = results_revision + 1 WHERE number = ?")
            .execute(arguments: [number])
    }

    /// The number of the job with this identifier; nil if there is none or its results have expired.
    func number(_ id: JobID, at now: Int64) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT number FROM job WHERE job_id = ? AND (expires_at IS NULL OR expires_at > ?)"),
            arguments: [id.text, now])
    }

    func appendEvent(_ event: StoredEvent, job: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO event(job, seq, at, kind, frame) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [
                job, event.seq, event.at, event.kind.rawValue, Data(event.frame.readableBytesView),
            ])
    }

    /// Deletes the rows of `event` up to `seq`, except the start events of the job and of its batch of photos, which first connections receive. A
    /// client with an older `since` can then no longer recover all events. The frames of items stay until the job expires.
    func dropEvents(job: Int64, through seq: Int) throws {
        try db.cachedStatement(sql: "DELETE FROM event WHERE job = ? AND seq <= ? AND kind NOT IN (?, ?)")
            .execute(arguments: [job, seq, EventKind.started.rawValue, EventKind.batchStarted.rawValue])
        try db.cachedStatement(sql: "UPDATE job SET recoverable_from = max(recoverable_from, ?) WHERE number = ?")
            .execute(arguments: [seq, job])
    }

    /// A job's events after `seq` in order, at most `limit`.
    ///
    /// - Parameter outcomeEvents: The events that are stored with the job's items; not called if the rows of `event` suffice.
    func events(
        job: Int64, after seq: Int, limit: Int, outcomeEvents: () throws -> OutcomeEvents
    ) throws -> [StoredEvent] {
        let own = try ownEvents(job: job, after: seq, limit: limit)
        if let last = own.last, last.seq == seq + own.count, own.count == limit || last.kind.isTerminal { return own }
        let items = ItemStore(db: db)
        let ofItems = try outcomeEvents().after(seq, limit: limit).compactMap {
            try items.event(ItemNumber(job: job, index: $0.index))
        }
        return Array((own + ofItems).sorted { $0.seq < $1.seq }.prefix(limit))
    }

    /// A job's events after `seq` in order, at most `limit`. Reads all items of the job unless the rows of `event` suffice.
    func events(job: Int64, after seq: Int, limit: Int) throws -> [StoredEvent] {
        try events(job: job, after: seq, limit: limit) { try ItemStore(db: db).outcomeEvents(job: job, after: seq) }
    }

    /// A job's newest `seq`, including the events of its items; nil if there is no such job. Reads all items of a running job.
    func lastSeq(_ number: Int64) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT \(JobSequence.lastSQL) FROM job WHERE number = ?"), arguments: [number])
    }

    /// A job's newest events in order, at most `limit`.
    func newestEvents(job: Int64, limit: Int) throws -> [StoredEvent] {
        let own = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT seq, at, kind, frame FROM event WHERE job = ? ORDER BY seq DESC LIMIT ?"),
            arguments: [job, limit]
        ).map(StoredEvent.init)
        let events = try ItemStore(db: db).newestEvents(job: job, limit: limit) + own
        return Array(events.sorted { $0.seq < $1.seq }.suffix(limit))
    }

    /// The events that are not stored with an item.
    func ownEvents(job: Int64, after seq: Int, limit: Int) throws -> [StoredEvent] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT seq, at, kind, frame FROM event WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?"),
            arguments: [job, seq, limit]
        ).map(StoredEvent.init)
    }

    /// The events of a running job that a first connection receives: its start, its newest progress and, for a batch of photos, the start and the
    /// newest progress of the batch.
    ///
    /// - Parameter newestOutcome: The newest event that is stored with an item.
    func beginning(of job: JobRow, newestOutcome: StoredEvent?) throws -> [StoredEvent] {
        let progress = [try event(of: .progress, job: job.number, order: "DESC"), newestOutcome]
            .compactMap(\.self).max { $0.seq < $1.seq }
        var events = [try event(of: .started, job: job.number, order: "ASC"), progress].compactMap(\.self)
        if job.pipeline == .aiScan {
            events += [
                try event(of: .batchStarted, job: job.number, order: "ASC"),
                try event(of: .batchProgress, job: job.number, order: "DESC"),
            ].compactMap(\.self)
        }
        return events.sorted { $0.seq < $1.seq }
    }

    /// The events at the end of a job; none before it has ended. The last one is terminal.
    func ending(of job: JobRow) throws -> [StoredEvent] {
        guard job.endedAt != nil else { return [] }
        return try ownEvents(job: job.number, after: job.lastSeq - Self.maxEndEvents, limit: Self.maxEndEvents)
            .filter(\.kind.belongsToEnd)
    }

    /// Maximum number of events at the end of a job: for a failed batch of photos, `batchCompleted`, `failing` and `failed`.
    private static let maxEndEvents = 3

    /// The oldest (`ASC`) or newest (`DESC`) event of a kind; nil if there is none.
    private func event(of kind: EventKind, job: Int64, order: String) throws -> StoredEvent? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT seq, at, kind, frame FROM event WHERE job = ? AND kind = ? ORDER BY seq \(order) LIMIT 1"),
            arguments: [job, kind.rawValue]
        ).map(StoredEvent.init)
    }
}
