import BookstrackContract
import GRDB
import SuiteMethods

/// Lists jobs on reading connections of its own, so that a list never holds the engine up.
///
/// The index `job_listing` has the jobs of one pipeline in one state in the order of their creation. A page merges the heads of the
/// lists that were asked for, at most one per pipeline and state, so that it reads no more rows than that many pages hold.
struct JobLister: Sendable {
    let pool: DatabasePool
    let clock: any EngineClock

    /// Throws `invalidRequest` for a page of an impossible length.
    func page(_ parameters: ListJobs.Parameters) async throws -> ListJobs.Result {
        guard (1...ListJobs.longestPage).contains(parameters.limit) else {
            throw HostFailure.invalidRequest("a page has 1 to \(ListJobs.longestPage) jobs")
        }
        return try await pool.read { db in
            // One more than the page holds says whether there is another.
            var rows = try parameters.prefix.map { try named($0, parameters, db) } ?? merged(parameters, db)
            let isLast = rows.count <= parameters.limit
            rows = Array(rows.prefix(parameters.limit))
            return ListJobs.Result(
                jobs: try rows.map { try listed($0, db) },
                next: isLast ? nil : rows.last.map { .init(createdAt: $0.createdAt, number: $0.number) })
        }
    }

    private func merged(_ parameters: ListJobs.Parameters, _ db: Database) throws -> [JobRow] {
        let pipelines = parameters.pipelines.isEmpty ? Pipeline.allCases : parameters.pipelines
        let statuses = parameters.statuses.isEmpty ? JobStatus.allCases : parameters.statuses
        var rows: [JobRow] = []
        for pipeline in Set(pipelines) {
            for status in Set(statuses) { rows += try head(of: pipeline, status, parameters, db) }
        }
        return rows.sorted { ($0.createdAt, $0.number) > ($1.createdAt, $1.number) }
    }

    private func head(
        of pipeline: Pipeline, _ status: JobStatus, _ parameters: ListJobs.Parameters, _ db: Database
    ) throws -> [JobRow] {
        let end = parameters.cursor ?? .init(createdAt: .max, number: .max)
        let before = min(end.createdAt, parameters.createdBefore.map { $0 - 1 } ?? .max)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(JobRow.columns) FROM job INDEXED BY job_listing
                    WHERE pipeline = ? AND status = ? AND created_at BETWEEN ? AND ?
                        AND (created_at, number) < (?, ?) AND (expires_at IS NULL OR expires_at > ?)
                    ORDER BY created_at DESC, number DESC LIMIT ?
                    """),
            arguments: [
                pipeline.rawValue, status.rawValue, parameters.createdFrom ?? 0, before, end.createdAt, end.number,
                clock.now().settled, parameters.limit + 1,
            ]
        ).compactMap(JobRow.init)
    }

    /// Jobs by the beginning of their identifiers; no character of an identifier sorts behind `z`.
    private func named(_ prefix: String, _ parameters: ListJobs.Parameters, _ db: Database) throws -> [JobRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(JobRow.columns) FROM job
                    WHERE job_id BETWEEN ? AND ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY job_id LIMIT ?
                    """), arguments: [prefix, prefix + "{", clock.now().settled, parameters.limit]
        ).compactMap(JobRow.init)
    }

    private func listed(_ row: JobRow, _ db: Database) throws -> ListedJob {
        ListedJob(
            jobId: row.id, pipeline: row.pipeline, status: row.status,
            counts: try ItemStore(db: db).counts(job: row.number, total: row.total), createdAt: row.createdAt,
            startedAt: row.startedAt, endedAt: row.endedAt, expiresAt: row.expiresAt)
    }
}
