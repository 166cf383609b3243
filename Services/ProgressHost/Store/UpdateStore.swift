import GRDB
import SuiteStorage

/// SQL statements on the improved items of ended jobs (jobs.md "Retries").
struct UpdateStore {
    let db: Database

    /// Notes that an item of an ended job has a better result.
    func insert(_ item: ItemNumber) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO improved_item(id) VALUES (?)")
            .execute(arguments: [item.rawValue])
    }

    /// Jobs with improved items that were not told.
    func jobs() throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT DISTINCT \(ItemNumber.jobSQL) FROM improved_item")
    }

    /// Forgets the improved items of a job; returns their number.
    func take(job: Int64) throws -> Int {
        let range = ItemNumber.range(ofJob: job)
        try db.cachedStatement(sql: "DELETE FROM improved_item WHERE id BETWEEN ? AND ?")
            .execute(arguments: [range.lowerBound, range.upperBound])
        return db.changesCount
    }
}
