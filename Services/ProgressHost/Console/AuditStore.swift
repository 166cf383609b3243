import BookstrackContract
import GRDB
import SuiteMethods
import SuiteStorage

/// SQL statements on the audit log. An action on a job and its entry are written in the same transaction.
struct AuditStore {
    /// Maximum length of each string in an entry, in characters; some strings come from other processes.
    private static let maxLength = 300
    /// Number of entries between two removals of the oldest ones.
    private static let slack: Int64 = 100
    /// Number of failed logins that are kept when the oldest ones are removed. Anyone can cause them, so they have a limit of their own, far below
    /// that of all entries.
    private static let maxFailedLogins = 2_000

    let db: Database

    /// Appends an entry; every 100th time, removes the oldest failed logins and the oldest entries beyond the limits.
    func append(
        at now: Int64, _ actor: Actor, _ action: String, _ subject: String?, outcome: String,
        limit: Int = ReadAudit.maxEntries, failedLogins: Int = maxFailedLogins
    ) throws {
        func cut(_ text: String) -> String { String(text.prefix(Self.maxLength)) }
        try db.cachedStatement(
            sql: "INSERT INTO audit(at, address, session, action, subject, outcome) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            now, cut(actor.address), actor.session.map(cut), cut(action), subject.map(cut), cut(outcome),
        ])
        guard db.lastInsertedRowID % Self.slack == 0 else { return }
        try trim("action = 'login' AND session IS NULL", to: failedLogins)
        try trim("true", to: limit)
    }

    /// Removes all entries that meet a condition, except for the newest `limit`.
    private func trim(_ condition: String, to limit: Int) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM audit WHERE \(condition)
                AND number <= (SELECT number FROM audit WHERE \(condition) ORDER BY number DESC LIMIT 1 OFFSET ?)
                """
        ).execute(arguments: [limit])
    }

    /// Reads a page of entries. Throws `invalidRequest` for a page size outside the limits.
    func page(_ parameters: ReadAudit.Parameters) throws -> ReadAudit.Result {
        guard (1...ReadAudit.maxPageSize).contains(parameters.limit) else {
            throw HostFailure.invalidRequest("a page must have 1 to \(ReadAudit.maxPageSize) entries")
        }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, at, address, session, action, subject, outcome FROM audit
                    WHERE number < ? AND (? IS NULL OR subject = ?) ORDER BY number DESC LIMIT ?
                    """),
            arguments: [
                parameters.before ?? .max, parameters.jobId?.text, parameters.jobId?.text, parameters.limit + 1,
            ])
        let entries = rows.prefix(parameters.limit).map { row in
            ReadAudit.Entry(
                number: row["number"], at: row["at"], actor: Actor(address: row["address"], session: row["session"]),
                action: row["action"], subject: row["subject"], outcome: row["outcome"])
        }
        return ReadAudit.Result(entries: entries, hasMore: rows.count > parameters.limit)
    }
}
