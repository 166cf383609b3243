import BookstrackContract
import Foundation
import GRDB
import Observability
import SuiteMethods

/// Lists jobs on separate read connections, so the engine does not wait for a list.
///
/// The index `job_listing` contains a list for each pipeline and status: its jobs in creation order. Without a prefix or a search text, a page merges
/// the heads of the requested lists and reads only the jobs on the page.
struct JobLister: Sendable {
    let pool: DatabasePool
    let clock: EngineClock

    /// Reads a page of jobs. Throws `invalidRequest` for a page size outside the limits, and the errors of ``JobSearch/page()``.
    func page(_ parameters: ListJobs.Parameters) async throws -> ListJobs.Result {
        guard (1...ListJobs.maxPageSize).contains(parameters.limit) else {
            throw HostFailure.invalidRequest("a page must have 1 to \(ListJobs.maxPageSize) jobs")
        }
        if let text = parameters.search?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty {
            return try await JobSearch(lister: self, text: text, parameters: parameters).page()
        }
        return try await pool.read { db in
            // `merged` reads one job more than fits on the page, to find out whether there is another page.
            let places = try parameters.prefix.map { try named($0, parameters, db) } ?? merged(parameters, db)
            let page = places.prefix(parameters.limit)
            return ListJobs.Result(
                jobs: try page.compactMap { try listed($0, db) }, next: places.count > page.count ? page.last : nil)
        }
    }

    private func merged(_ parameters: ListJobs.Parameters, _ db: Database) throws -> [ListJobs.Cursor] {
        let end = parameters.cursor ?? .init(createdAt: .max, number: .max)
        let sql = Self.statement(parameters.pipelines, parameters.statuses)
        return try Row.fetchAll(
            db.cachedStatement(sql: sql),
            arguments: [
                "from": parameters.createdFrom ?? 0,
                "before": min(end.createdAt, parameters.createdBefore.map { $0 - 1 } ?? .max),
                "at": end.createdAt, "number": end.number, "now": clock.now().settled, "limit": parameters.limit + 1,
            ]
        ).map(ListJobs.Cursor.init)
    }

    /// SQL for the newest jobs of these pipelines with these statuses; an empty list stands for all. This is one statement, so SQLite sorts the heads
    /// and only the jobs on the page become rows.
    static func statement(_ pipelines: [Pipeline], _ statuses: [JobStatus]) -> String {
        let pipelines = pipelines.isEmpty ? Pipeline.allCases : pipelines
        let statuses = statuses.isEmpty ? JobStatus.allCases : statuses
        // The filters are sorted, so equal filters produce the same statement.
        let heads = Set(pipelines).map(\.rawValue).sorted().flatMap { pipeline in
            Set(statuses).map(\.rawValue).sorted().map { head(of: pipeline, $0) }
        }
        return heads.joined(separator: " UNION ALL ") + " ORDER BY created_at DESC, number DESC LIMIT :limit"
    }

    /// SQL for the newest jobs of one pipeline and status before the cursor.
    private static func head(of pipeline: String, _ status: String) -> String {
        """
        SELECT * FROM (SELECT created_at, number FROM job INDEXED BY job_listing
            WHERE pipeline = '\(pipeline)' AND status = '\(status)' AND created_at BETWEEN :from AND :before
                AND (created_at, number) < (:at, :number) AND (expires_at IS NULL OR expires_at > :now)
            ORDER BY created_at DESC, number DESC LIMIT :limit)
        """
    }

    /// Jobs whose identifier begins with `prefix`: no character in an identifier sorts after `z`, so all of them come before `prefix` followed by
    /// `{`, the next character.
    func named(
        _ prefix: String, _ parameters: ListJobs.Parameters, _ db: Database
    ) throws -> [ListJobs.Cursor] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT created_at, number FROM job
                    WHERE job_id BETWEEN ? AND ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY job_id LIMIT ?
                    """), arguments: [prefix, prefix + "{", clock.now().settled, parameters.limit]
        ).map(ListJobs.Cursor.init)
    }

    /// The job at a position; nil if it no longer exists, or if this program does not know its status or pipeline.
    func listed(_ place: ListJobs.Cursor, _ db: Database) throws -> ListedJob? {
        try JobStore(db: db).job(number: place.number).map { try listed($0, db) }
    }

    func listed(_ row: JobRow, _ db: Database) throws -> ListedJob {
        var counts = try JobStore(db: db).counts(row)
        if row.isImportWithoutRows { counts.succeeded = 0 }
        var job = ListedJob(
            jobId: row.id, pipeline: row.pipeline, status: row.status, counts: counts, createdAt: row.createdAt,
            startedAt: row.startedAt, endedAt: row.endedAt, expiresAt: row.expiresAt, source: row.source)
        job.priority = row.origin.priority
        job.requestId = row.trace?.requestID
        return job
    }
}

extension ListJobs.Cursor {
    init(_ row: Row) { self.init(createdAt: row["created_at"], number: row["number"]) }
}
