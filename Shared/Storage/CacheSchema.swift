package import GRDB

/// The schema of `cache.sqlite` (Migrations.md).
///
/// `PRAGMA user_version` is the schema version to which the database was last migrated; `meta.min_reader` is the oldest version that can read it.
package enum CacheSchema {
    /// The schema version that this program writes.
    package static let version = steps.count
    /// Schema version of the oldest program that can read databases written by this program.
    package static let minReader = 1

    /// The database was written by a newer version of the program, and this version cannot read it.
    package struct TooNew: Error, Equatable, CustomStringConvertible {
        /// Schema version of the oldest program that can read the database.
        package let minReader: Int

        package var description: String {
            "it needs at least schema version \(minReader), but this program supports version \(CacheSchema.version)"
        }
    }

    /// Migrates an older database to `version`; throws ``TooNew`` if this program cannot read it.
    package static func migrate(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if found > 0 {
            let needed = try Int.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'min_reader'") ?? 0
            guard needed <= version else { throw TooNew(minReader: needed) }
        }
        guard found < version else { return }
        for step in steps[found...] { try db.execute(sql: step) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('min_reader', ?)", arguments: [minReader])
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Step n migrates from version n to n + 1.
    private static let steps = [tables, arrival, turns, isbns]

    /// When an answer was stored, in seconds since 1970; 0 for answers written by the first version.
    private static let arrival = "ALTER TABLE answer ADD COLUMN stored_at INTEGER NOT NULL DEFAULT 0"

    /// The earliest time at which any worker may send the next request to a provider, in milliseconds since 1970.
    private static let turns = """
        CREATE TABLE request_turn(provider TEXT NOT NULL PRIMARY KEY, next_at INTEGER NOT NULL) WITHOUT ROWID
        """

    /// The requested ISBNs (http-api.md "Reports"). `attempts` counts failed lookups since the last lookup that found the book; `fields` is a
    /// `BookFieldSet`; `noted_at` is the time of the last of these failures or of the last report, whichever is later; null if there is neither.
    /// Times are seconds since 1970.
    private static let isbns = """
        CREATE TABLE isbn_history(
            isbn INTEGER PRIMARY KEY,
            asked_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0, code TEXT, first_failed_at INTEGER, last_failed_at INTEGER,
            reports INTEGER NOT NULL DEFAULT 0, fields INTEGER NOT NULL DEFAULT 0, note TEXT, reported_at INTEGER,
            refreshed_at INTEGER,
            noted_at INTEGER
        );
        CREATE INDEX isbn_asked ON isbn_history(asked_at) WHERE noted_at IS NULL;
        CREATE INDEX isbn_noted ON isbn_history(noted_at) WHERE noted_at IS NOT NULL;
        CREATE INDEX isbn_refreshed ON isbn_history(refreshed_at) WHERE refreshed_at IS NOT NULL;
        """

    /// The tables of the first version. Times are seconds since 1970. `records` is the JSON of `ProviderRecords`; null if the provider has none.
    private static let tables = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE answer(
            key TEXT NOT NULL PRIMARY KEY,
            expires_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            records BLOB
        );
        CREATE INDEX answer_use ON answer(used_at);
        CREATE TABLE daily_usage(
            provider TEXT NOT NULL PRIMARY KEY, day TEXT NOT NULL, used INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
