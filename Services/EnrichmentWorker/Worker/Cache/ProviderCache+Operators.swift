import GRDB
import SuiteMethods

// What operators ask of the cache (`bookstrack cache`).
extension ProviderCache {
    /// How full it is, and how it was used.
    func statistics() async throws -> ReadCacheStatistics.Result {
        let (entries, bytes) = try await pool.read { db in
            (try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0, try CacheEviction.bytesInUse(db))
        }
        let uses = uses
        return ReadCacheStatistics.Result(
            entries: entries, bytes: bytes, limit: limit, hits: uses.hits, staleHits: uses.staleHits,
            misses: uses.misses)
    }

    /// Bytes of what is kept, from the file's page counts.
    func bytesInUse() async throws -> Int { try await pool.read(CacheEviction.bytesInUse) }

    /// Forgets every answer and gives the space back; what counts against daily budgets stays. Returns how many there were.
    func purge() async throws -> Int {
        await flush()
        let removed = try await pool.write { db in
            try db.execute(sql: "DELETE FROM answer")
            return db.changesCount
        }
        try await pool.vacuum()
        return removed
    }
}
