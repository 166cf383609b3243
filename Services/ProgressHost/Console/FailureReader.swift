import BookstrackContract
import Foundation
import GRDB
import SuiteMethods
import SuiteStorage

/// Groups the failed items of the newest jobs by pipeline and reason. Uses read connections, and stops after ``limit``.
struct FailureReader: Sendable {
    /// Time limit of one call; checked after each chunk.
    static let limit = Duration.seconds(1)
    /// Number of jobs whose failures are counted in one transaction.
    static let chunk = 100
    private static let maxJobs = 10

    private struct Key: Hashable {
        var pipeline: Pipeline
        var code: String
    }

    let pool: DatabasePool
    /// Whether the time limit has been reached; called after each chunk.
    var isOver: @Sendable () -> Bool = {
        let end = ContinuousClock.now + Self.limit
        return { ContinuousClock.now >= end }
    }()

    func groups(_ parameters: ReadFailures.Parameters) async throws -> ReadFailures.Result {
        var groups: [Key: ReadFailures.Group] = [:]
        var examples: [Key: Int64] = [:]
        var items = 0
        var before = Int64.max
        var isPartial = false
        while !isPartial {
            let step = try await pool.read { [before] in
                try Self.jobs(before: before, from: parameters.createdFrom, $0)
            }
            for (job, failures) in step.jobs {
                items += job.total
                for failure in failures {
                    let key = Key(pipeline: job.pipeline, code: failure.code)
                    var group =
                        groups[key]
                        ?? .init(
                            pipeline: key.pipeline, errorCode: key.code, count: 0, retrying: 0, jobs: [], example: nil)
                    group.count += failure.count
                    group.retrying += failure.retrying
                    if group.jobs.count < Self.maxJobs { group.jobs.append(job.id) }
                    groups[key] = group
                    if examples[key] == nil { examples[key] = failure.example }
                }
            }
            guard let next = step.next else { break }
            before = next
            isPartial = isOver()
        }
        return ReadFailures.Result(
            groups: try await described(groups, examples).sorted { $0.count > $1.count }, items: items,
            isPartial: isPartial)
    }

    private struct Failures {
        var code: String
        var count: Int
        var retrying: Int
        /// Row number of one item's result, as an example.
        var example: Int64?
    }

    private struct Job {
        var number: Int64
        var id: JobID
        var pipeline: Pipeline
        var total: Int
    }

    /// Reads a chunk of jobs, without those whose pipeline this program does not know.
    ///
    /// - Returns: `next` is the number before which to continue; nil if there are no more jobs.
    private static func jobs(
        before number: Int64, from start: Int64, _ db: Database
    ) throws -> (jobs: [(job: Job, failures: [Failures])], next: Int64?) {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, job_id, pipeline, total FROM job WHERE number < ? AND created_at >= ?
                    ORDER BY number DESC LIMIT ?
                    """), arguments: [number, start, chunk])
        let jobs: [(Job, [Failures])] = try rows.compactMap { row in
            guard let id = JobID(row["job_id"] as String), let pipeline = Pipeline(rawValue: row["pipeline"]) else {
                return nil
            }
            let job = Job(number: row["number"], id: id, pipeline: pipeline, total: row["total"])
            let range = ItemNumber.range(ofJob: job.number)
            let failures = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT error_code, count(*) AS n, count(not_before) AS retrying, max(result) AS example
                        FROM item WHERE id BETWEEN ? AND ? AND state = \(ItemState.failed.rawValue)
                            AND error_code IS NOT NULL
                        GROUP BY error_code
                        """), arguments: [range.lowerBound, range.upperBound])
            return (
                job,
                failures.map {
                    .init(code: $0["error_code"], count: $0["n"], retrying: $0["retrying"], example: $0["example"])
                }
            )
        }
        return (jobs, rows.count == chunk ? rows.last?["number"] : nil)
    }

    /// Adds to each group the error message of one of its items as an example, if there is one.
    private func described(
        _ groups: [Key: ReadFailures.Group], _ examples: [Key: Int64]
    ) async throws -> [ReadFailures.Group] {
        struct Outcome: Decodable { var error: String? }
        return try await pool.read { db in
            try groups.map { key, group in
                var group = group
                let row = try examples[key].flatMap {
                    try Data.fetchOne(db, sql: "SELECT row FROM result WHERE id = ?", arguments: [$0])
                }
                group.example = row.flatMap { try? JSONDecoder().decode(Outcome.self, from: $0).error }
                return group
            }
        }
    }
}
