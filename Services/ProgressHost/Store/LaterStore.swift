import BookstrackContract
import GRDB
import SuiteStorage

/// Statements on items that are done after they have an outcome: follow-ups, background retries, retries on request (spec/07 "Jobs").
struct LaterStore {
    let db: Database

    /// An item whose time has come.
    struct DueItem {
        var item: ItemNumber
        var state: ItemState
        var round: Int
    }

    /// Jobs of which items are due, in the order of their numbers.
    func dueJobs(at now: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT \(ItemNumber.jobSQL) AS job FROM item INDEXED BY item_later
                    WHERE not_before <= ? ORDER BY job
                    """), arguments: [now])
    }

    /// Items of a job that are due: follow-ups before background retries, of each the longest waiting first.
    func due(job: Int64, at now: Int64, limit: Int) throws -> [DueItem] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, state, background_round FROM item INDEXED BY item_later_job
                    WHERE \(ItemNumber.jobSQL) = ? AND not_before <= ? ORDER BY state, not_before, id LIMIT ?
                    """), arguments: [job, now, limit]
        ).map {
            DueItem(
                item: ItemNumber(rawValue: $0["id"]), state: ItemState(rawValue: $0["state"]) ?? .failed,
                round: $0["background_round"])
        }
    }

    /// When the next item is due.
    func nextDue() throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT min(not_before) FROM item WHERE not_before IS NOT NULL")
    }

    /// Whether a follow-up or a background retry of an item is planned or under way.
    func isPlanned(_ item: ItemNumber) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT not_before IS NOT NULL FROM item WHERE id = ?"), arguments: [item.rawValue]
        ) ?? false
    }

    /// The round an item is in.
    func round(_ item: ItemNumber) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT background_round FROM item WHERE id = ?"), arguments: [item.rawValue]) ?? 0
    }

    /// Postpones an item, while it is under lease or until its next round.
    func postpone(_ item: ItemNumber, until notBefore: Int64?, round: Int) throws {
        try db.cachedStatement(sql: "UPDATE item SET not_before = ?, background_round = ? WHERE id = ?")
            .execute(arguments: [notBefore, round, item.rawValue])
    }

    /// Makes every failed item of an ended job that may succeed on another try due at `now`; says how many.
    func retryFailed(job: Int64, at now: Int64) throws -> Int {
        let range = ItemNumber.range(ofJob: job)
        try db.cachedStatement(
            sql: """
                UPDATE item SET not_before = ? WHERE id BETWEEN ? AND ? AND state = \(ItemState.failed.rawValue) AND error_code != ?
                """
        ).execute(arguments: [now, range.lowerBound, range.upperBound, ItemErrorCode.invalidISBN.rawValue])
        return db.changesCount
    }

    /// Plans the first background retry of an ended job's retryable failures; says how many there are.
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
