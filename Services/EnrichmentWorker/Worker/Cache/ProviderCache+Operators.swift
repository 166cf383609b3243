import GRDB
import ProviderHTTP
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
    ///
    /// SQLite writes down what it deletes before it gives anything back (sqlite.org/wal.html), which a full disk has no room for: there the
    /// file itself goes.
    func purge() async throws -> Int {
        await flush()
        let pool = pool
        let (count, usages) = try await pool.read { db in
            (try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0, try DailyUsage.all(db))
        }
        do {
            try await pool.write { try $0.execute(sql: "DELETE FROM answer") }
            try await pool.vacuum()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            try makeAnew(pool)
            for (provider, usage) in usages { _ = try await add(usage.used, on: usage.day, provider: provider) }
        }
        return count
    }
}
