import BookstrackContract
import GRDB
import SuiteMethods

/// SQL statements on webhooks that have not been delivered successfully (jobs.md "Webhooks").
struct WebhookStore {
    let db: Database

    struct StoredWebhook {
        var number: Int64
        var job: Int64
        var tries: Int
        var firstAt: Int64
    }

    /// Adds a round's improvements to a job's webhook that has not been handed out yet; false if there is none.
    func add(improved: Int, revision: Int, to job: Int64) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE webhook SET improved = improved + ?, results_revision = ? WHERE job = ? AND is_sealed = 0
                """
        ).execute(arguments: [improved, revision, job])
        return db.changesCount > 0
    }

    func insert(_ id: String, job: JobRow, improved: Int, dueAt: Int64) throws {
        try db.cachedStatement(
            sql: "INSERT INTO webhook(job, id, results_revision, improved, due_at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [job.number, id, job.resultsRevision, improved, dueAt])
    }

    /// The most recent time at which a webhook of the job was handed out for its first attempt; nil if none was.
    func lastAt(job: Int64) throws -> Int64? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT webhook_at FROM job WHERE number = ?"), arguments: [job]
        ).flatMap { $0["webhook_at"] as Int64? }
    }

    /// Hands out due webhooks, longest due first; they become due again at `leaseEnd`.
    func take(at now: Int64, limit: Int, leaseEnd: Int64) throws -> [WebhookCall] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT webhook.number, job.number AS job, id, webhook.results_revision, improved, tries, job_id, callback_url
                    FROM webhook JOIN job ON job.number = webhook.job
                    WHERE due_at <= ? AND callback_url IS NOT NULL ORDER BY due_at, webhook.number LIMIT ?
                    """), arguments: [now, limit])
        return try rows.compactMap { row in
            guard let id = JobID(row["job_id"] as String) else { return nil }
            try db.cachedStatement(
                sql: """
                    UPDATE webhook SET is_sealed = 1, first_at = coalesce(first_at, ?), due_at = ? WHERE number = ?
                    """
            ).execute(arguments: [now, leaseEnd, row["number"] as Int64])
            if row["tries"] as Int == 0 {
                try db.cachedStatement(sql: "UPDATE job SET webhook_at = ? WHERE number = ?")
                    .execute(arguments: [now, row["job"] as Int64])
            }
            return WebhookCall(
                id: row["id"], attempt: row["tries"], url: row["callback_url"], jobId: id,
                resultsRevision: row["results_revision"], improved: row["improved"])
        }
    }

    /// A webhook that was handed out; nil if there is none, for example because it has been delivered.
    func webhook(_ id: String) throws -> StoredWebhook? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT number, job, tries, first_at FROM webhook WHERE id = ? AND is_sealed = 1"),
            arguments: [id]
        ).map { StoredWebhook(number: $0["number"], job: $0["job"], tries: $0["tries"], firstAt: $0["first_at"]) }
    }

    /// Plans the next attempt.
    func postpone(_ number: Int64, tries: Int, until dueAt: Int64) throws {
        try db.cachedStatement(sql: "UPDATE webhook SET tries = ?, due_at = ? WHERE number = ?")
            .execute(arguments: [tries, dueAt, number])
    }

    func remove(_ number: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM webhook WHERE number = ?").execute(arguments: [number])
    }

    /// The number of undelivered webhooks, including those that are handed out, and when the next one is due.
    func waiting() throws -> (count: Int, next: Int64?) {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) AS n, min(due_at) AS next FROM webhook JOIN job ON job.number = webhook.job")
        ).map { row in (row["n"] as Int, row["next"] as Int64?) } ?? (0, nil)
    }
}
