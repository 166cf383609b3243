import GRDB

/// Keeps the cache below its maximum size: least recently used entries are evicted first (metadata.md "Cache").
struct CacheEviction: Sendable {
    /// Part of the answers that go at a time.
    private static let share = 10

    /// Bytes.
    let limit: Int

    func run(_ db: Database) throws {
        while try Self.bytesInUse(db) > limit {
            let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0
            guard count > 0 else { return }
            try db.execute(
                sql: "DELETE FROM answer WHERE key IN (SELECT key FROM answer ORDER BY used_at, rowid LIMIT ?)",
                arguments: [max(1, count / Self.share)])
        }
    }

    /// Pages that hold something; freed ones are used again by SQLite.
    static func bytesInUse(_ db: Database) throws -> Int {
        let pages = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        let free = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
        let size = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_size")) ?? 0
        return (pages - free) * size
    }
}
