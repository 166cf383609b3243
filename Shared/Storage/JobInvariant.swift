import BookstrackContract
package import GRDB

/// A condition that holds in every `jobs.sqlite`, even if a process is killed at any moment (Services/README.md rule 3, jobs.md "Durability").
package struct JobInvariant: Sendable {
    /// Minimum schema version of databases that can be checked.
    package static let minVersion = 2

    /// The condition, as a sentence.
    package let statement: String
    /// SQL that selects the violations, one string per violation.
    private let violationSQL: String

    /// Returns up to `limit` violations as examples, and the number of all violations. Scans whole tables.
    package func violations(_ db: Database, limit: Int) throws -> (examples: [String], count: Int) {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(violationSQL))") ?? 0
        guard count > 0 else { return ([], 0) }
        return (try String.fetchAll(db, sql: "\(violationSQL) LIMIT \(limit)"), count)
    }

    /// All invariants, in the order in which they are checked.
    ///
    /// - Parameter version: The database's schema version, at least `minVersion`.
    package static func all(version: Int = JobSchema.version) -> [JobInvariant] {
        [
            ending, items, outcomes, results, resultRows, itemOwners, events(withItems: version >= 11), endings,
            eventOwners, tokens, removals,
        ]
    }

    private static let terminal = JobStatus.allCases.filter(\.isTerminal).map { "'\($0.rawValue)'" }
        .joined(separator: ",")
    private static let terminalEvents = "'completed','failed','cancelled'"

    private static let ending = JobInvariant(
        statement: "a job has an end and an expiry if and only if its status is final",
        violationSQL: """
            SELECT 'job ' || job_id FROM job
            WHERE (ended_at IS NOT NULL) != (status IN (\(terminal))) OR (ended_at IS NULL) != (expires_at IS NULL)
            """)

    private static let items = JobInvariant(
        statement: "a job has all of its items",
        violationSQL: """
            SELECT 'job ' || job_id FROM job LEFT JOIN
                (SELECT \(ItemNumber.jobSQL()) AS owner, count(*) AS n, max(id) AS last FROM item GROUP BY owner) ON owner = number
            WHERE coalesce(n, 0) != total OR last != number * \(ItemNumber.placesPerJob) + total - 1
            """)

    private static let outcomes = JobInvariant(
        statement: "every item of an ended job has an outcome",
        violationSQL: """
            SELECT DISTINCT 'job ' || job_id FROM item JOIN job ON number = \(ItemNumber.jobSQL())
            WHERE ended_at IS NOT NULL AND state = \(ItemState.queued.rawValue)
            """)

    private static let results = JobInvariant(
        statement: "every item that succeeded has a result, and no item refers to a missing result",
        violationSQL: """
            SELECT 'item ' || item.id FROM item LEFT JOIN result ON result.id = item.result
            WHERE result.id IS NULL AND (item.result IS NOT NULL OR state = \(ItemState.succeeded.rawValue))
            """)

    private static let resultRows = JobInvariant(
        statement: "every result belongs to exactly one item",
        violationSQL: """
            SELECT 'result ' || result.id FROM result LEFT JOIN
                (SELECT result AS named, count(*) AS n FROM item WHERE result IS NOT NULL GROUP BY named) ON named = result.id
            WHERE coalesce(n, 0) != 1
            """)

    private static let itemOwners = JobInvariant(
        statement: "every item belongs to a job that exists or is being removed",
        violationSQL: """
            SELECT 'items of job number ' || owner FROM (SELECT DISTINCT \(ItemNumber.jobSQL()) AS owner FROM item)
            WHERE owner NOT IN (SELECT number FROM job UNION SELECT number FROM removed_job)
            """)

    /// - Parameter withItems: Whether progress events may be stored with items.
    private static func events(withItems: Bool) -> JobInvariant {
        let ofItems = """
            UNION ALL SELECT \(ItemNumber.jobSQL("item.id")), event_seq
            FROM item JOIN result ON result.id = item.result WHERE event_seq IS NOT NULL AND frame IS NOT NULL
            """
        return JobInvariant(
            statement: "a job's stored events are numbered without gaps",
            violationSQL: """
                SELECT 'job ' || job_id FROM job
                JOIN (SELECT job AS owner, seq FROM event \(withItems ? ofItems : "")) ON owner = number
                WHERE seq > recoverable_from GROUP BY number HAVING max(seq) - recoverable_from != count(*)
                """)
    }

    private static let endings = JobInvariant(
        statement: "the last event of a job is terminal if and only if the job has ended",
        violationSQL: """
            SELECT 'job ' || job_id FROM job WHERE (ended_at IS NOT NULL) != coalesce(
                (SELECT kind FROM event WHERE event.job = number ORDER BY seq DESC LIMIT 1) IN (\(terminalEvents)), 0)
            """)

    private static let eventOwners = JobInvariant(
        statement: "every event belongs to a job",
        violationSQL: """
            SELECT DISTINCT 'events of job number ' || job FROM event WHERE job NOT IN (SELECT number FROM job)
            """)

    private static let tokens = JobInvariant(
        statement: "every token belongs to a job",
        violationSQL: "SELECT 'token ' || number FROM token WHERE job NOT IN (SELECT number FROM job)")

    private static let removals = JobInvariant(
        statement: "a job that is being removed no longer exists",
        violationSQL: "SELECT 'job ' || job_id FROM job WHERE number IN (SELECT number FROM removed_job)")
}
