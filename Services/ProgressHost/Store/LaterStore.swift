import BookstrackContract
import GRDB
import SuiteStorage

/// SQL statements on items that are processed again after they have an outcome: follow-ups, background retries and requested retries (jobs.md
/// "Retries").
struct LaterStore {
    let db: Database

    /// When the first item of each job and state is due. Reads the whole index, so this is only called when the stored state is read.
    func earliest() throws -> [(job: Int64, state: ItemState, due: Int64)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(ItemNumber.jobSQL()) AS job, state, min(not_before) AS due FROM item INDEXED BY item_later_job
                WHERE not_before IS NOT NULL GROUP BY job, state
                """
        ).map { ($0["job"], ItemState(rawValue: $0["state"]) ?? .failed, $0["due"]) }
    }

    /// Due items of a job, with their retry round; longest waiting first.
    func due(job: Int64, _ state: ItemState, at now: Int64, limit: Int) throws -> [(item: ItemNumber, round: Int)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, background_round FROM item INDEXED BY item_later_job
                    WHERE \(ItemNumber.jobSQL()) = ? AND state = ? AND not_before <= ? ORDER BY not_before, id LIMIT ?
                    """), arguments: [job, state.rawValue, now, limit]
        ).map { (ItemNumber(rawValue: $0["id"]), $0["background_round"]) }
    }

    /// When the next item of a job in this state is due; nil if none is planned.
    func nextDue(job: Int64, _ state: ItemState) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT not_before FROM item INDEXED BY item_later_job
                    WHERE \(ItemNumber.jobSQL()) = ? AND state = ? AND not_before IS NOT NULL ORDER BY not_before LIMIT 1
                    """), arguments: [job, state.rawValue])
    }

    /// When the last item of a job is due; nil if none is planned.
    func lastDue(job: Int64) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(not_before) FROM item INDEXED BY item_later_job
                    WHERE \(ItemNumber.jobSQL()) = ? AND not_before IS NOT NULL
                    """), arguments: [job])
    }

    /// The number of a job's failed items whose retry is planned or in progress, and the earliest time at which one is due; nil if there are none.
    func plannedRetries(job: Int64) throws -> (count: Int, next: Int64)? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) AS n, min(not_before) AS next FROM item INDEXED BY item_later_job
                    WHERE \(ItemNumber.jobSQL()) = ? AND state = ? AND not_before IS NOT NULL
                    """), arguments: [job, ItemState.failed.rawValue]
        ).flatMap { row in (row["next"] as Int64?).map { (row["n"], $0) } }
    }

    /// The client that started a job, for the queue, in which clients take turns; empty if the client is unknown or the job no longer exists.
    func client(ofJob number: Int64) throws -> String {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT client FROM job WHERE number = ?"), arguments: [number]
        ).flatMap { $0["client"] as String? } ?? ""
    }

    /// Whether a follow-up or a background retry of an item is planned or in progress.
    func isPlanned(_ item: ItemNumber) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT not_before IS NOT NULL FROM item WHERE id = ?"), arguments: [item.rawValue]
        ) ?? false
    }

    func round(_ item: ItemNumber) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT background_round FROM item WHERE id = ?"), arguments: [item.rawValue]) ?? 0
    }

    /// Sets when an item is processed again, and in which round; if `notBefore` is nil, nothing further is planned.
    func postpone(_ item: ItemNumber, until notBefore: Int64?, round: Int) throws {
        try db.cachedStatement(sql: "UPDATE item SET not_before = ?, background_round = ? WHERE id = ?")
            .execute(arguments: [notBefore, round, item.rawValue])
    }

    /// Makes an ended job's failed items, except those with an invalid ISBN, due at `now`; returns their number.
    func retryFailed(job: Int64, at now: Int64) throws -> Int {
        let range = ItemNumber.range(ofJob: job)
        try db.cachedStatement(
            sql: """
                UPDATE item SET not_before = ? WHERE id BETWEEN ? AND ? AND state = \(ItemState.failed.rawValue) AND error_code != ?
                """
        ).execute(arguments: [now, range.lowerBound, range.upperBound, ItemErrorCode.invalidISBN.rawValue])
        return db.changesCount
    }

    /// When a job's failed items were last retried on request; nil if they never were.
    func lastRetry(job number: Int64) throws -> Int64? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT retried_at FROM job WHERE number = ?"), arguments: [number]
        ).flatMap { $0["retried_at"] as Int64? }
    }

    func noteRetry(job number: Int64, at now: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET retried_at = ? WHERE number = ?").execute(arguments: [now, number])
    }

    /// Plans the first background retry of the retryable failures of a job that is ending; returns their number.
    func planBackground(job: Int64, dueAt: Int64) throws -> Int {
        let range = ItemNumber.range(ofJob: job)
        let codes = ItemErrorCode.allCases.filter(\.isRetryable).map { "'\($0.rawValue)'" }.joined(separator: ",")
        try db.cachedStatement(
            sql: """
                UPDATE item SET not_before = ?, background_round = 0
                WHERE id BETWEEN ? AND ? AND state = \(ItemState.failed.rawValue) AND error_code IN (\(codes))
                """
        ).execute(arguments: [dueAt, range.lowerBound, range.upperBound])
        return db.changesCount
    }
}

/// SQL statements on the improved items of ended jobs (jobs.md "Retries").
struct UpdateStore {
    let db: Database

    /// Records that an item of an ended job has an improved result.
    func insert(_ item: ItemNumber) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO improved_item(id) VALUES (?)")
            .execute(arguments: [item.rawValue])
    }

    /// Jobs with improved items of which followers have not been notified.
    func jobs() throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT DISTINCT \(ItemNumber.jobSQL()) FROM improved_item")
    }

    /// Deletes the records of a job's improved items; returns their number.
    func take(job: Int64) throws -> Int {
        let range = ItemNumber.range(ofJob: job)
        try db.cachedStatement(sql: "DELETE FROM improved_item WHERE id BETWEEN ? AND ?")
            .execute(arguments: [range.lowerBound, range.upperBound])
        return db.changesCount
    }
}
