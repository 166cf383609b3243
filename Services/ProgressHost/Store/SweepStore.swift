import BookstrackContract
import GRDB
import SuiteStorage

/// SQL statements that remove jobs and return their space to the file system (jobs.md "Ends"). They run inside the engine's transactions.
struct SweepStore {
    let db: Database

    /// Numbers of jobs whose results have expired.
    func expiredJobs(at now: Int64, limit: Int) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT number FROM job WHERE expires_at <= ? ORDER BY expires_at LIMIT ?"),
            arguments: [now, limit])
    }

    /// The number of an expired job that still occupies this identifier; nil if there is none.
    func expiredJob(_ id: JobID, at now: Int64) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM job WHERE job_id = ? AND expires_at <= ?"),
            arguments: [id.text, now])
    }

    /// Removes a job so that it can no longer be found. Its rows in large tables are deleted afterwards in steps (`deleteRows`).
    func remove(_ number: Int64) throws {
        try deleteOwnRows(job: number)
        try db.cachedStatement(sql: "DELETE FROM job WHERE number = ?").execute(arguments: [number])
        try db.cachedStatement(sql: "INSERT INTO removed_job(number) VALUES (?)").execute(arguments: [number])
    }

    /// Marks as removed the jobs of which an older program has left rows behind, so that `deleteRows` deletes these rows. Such a program removes a
    /// job, but not the job's rows in tables that it does not know (Migrations.md "Consequences"). Tables with many rows per job are not scanned.
    func markLeftovers() throws {
        let places = ItemNumber.placesPerJob
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO removed_job(number)
                WITH RECURSIVE
                    paged(owner) AS (
                        SELECT min(job) FROM import_page
                        UNION ALL SELECT (SELECT min(job) FROM import_page WHERE job > owner)
                        FROM paged WHERE owner IS NOT NULL),
                    spined(owner) AS (
                        SELECT \(ItemNumber.jobSQL("min(id)")) FROM spine
                        UNION ALL SELECT (SELECT \(ItemNumber.jobSQL("min(id)")) FROM spine WHERE id >= (owner + 1) * \(places))
                        FROM spined WHERE owner IS NOT NULL)
                SELECT owner FROM (
                    SELECT job AS owner FROM import UNION SELECT job FROM scan UNION SELECT job FROM webhook
                    UNION SELECT owner FROM paged UNION SELECT owner FROM spined)
                WHERE owner IS NOT NULL AND owner NOT IN (SELECT number FROM job)
                """)
    }

    /// Deletes import pages of removed jobs, and up to `limit` of their items with results and spines; returns whether there may be more.
    func deleteRows(limit: Int) throws -> Bool {
        var left = limit
        while left > 0, let number = try Int64.fetchOne(db, sql: "SELECT number FROM removed_job LIMIT 1") {
            // Each page is as large as hundreds of items.
            guard try deletePages(job: number, limit: Self.pagesPerStep) < Self.pagesPerStep else { return true }
            let deleted = try deleteItems(job: number, limit: left)
            if deleted < left {
                try deleteOwnRows(job: number)
                try db.cachedStatement(sql: "DELETE FROM removed_job WHERE number = ?").execute(arguments: [number])
            }
            left -= max(deleted, 1)
        }
        return left <= 0
    }

    /// Releases free pages beyond `sparePages` to the file system, at most `pages`; returns whether more are left to release
    /// (sqlite.org/pragma.html#pragma_incremental_vacuum).
    func vacuum(pages: Int) throws -> Bool {
        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        guard free > Self.sparePages else { return false }
        try db.execute(sql: "PRAGMA incremental_vacuum(\(min(pages, free - Self.sparePages)))")
        return free - Self.sparePages > pages
    }

    /// Deletes a job's rows in the tables that have few rows per job.
    private func deleteOwnRows(job: Int64) throws {
        for table in ["event", "token", "import", "scan", "photo", "webhook"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE job = ?").execute(arguments: [job])
        }
        _ = try UpdateStore(db: db).take(job: job)
    }

    /// Maximum number of an import's pages deleted at a time.
    private static let pagesPerStep = 32

    /// Deletes up to `limit` pages of an import; returns their number.
    private func deletePages(job: Int64, limit: Int) throws -> Int {
        try db.cachedStatement(
            sql: "DELETE FROM import_page WHERE id IN (SELECT id FROM import_page WHERE job = ? LIMIT ?)"
        ).execute(arguments: [job, limit])
        return db.changesCount
    }

    /// Number of free pages reserved for the next jobs: 256 KiB.
    private static let sparePages = 64

    /// Deletes up to `limit` items of a job with their results, and up to `limit` spines; returns the higher of the two numbers deleted.
    private func deleteItems(job: Int64, limit: Int) throws -> Int {
        let range = ItemNumber.range(ofJob: job)
        let deleted = try [("result", "result", "item"), ("item", "id", "item"), ("spine", "id", "spine")].map {
            (table, column, source) in
            try db.cachedStatement(
                sql: """
                    DELETE FROM \(table) WHERE id IN
                        (SELECT \(column) FROM \(source) WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)
                    """
            ).execute(arguments: [range.lowerBound, range.upperBound, limit])
            return db.changesCount
        }
        return deleted.max() ?? 0
    }
}
