package import GRDB

/// The mark in `jobs.sqlite` that says in which run of the machine it was opened and not yet closed. When it is found in another run, the
/// stop was unclean (websocket.md "Frames").
package enum OpeningMark {
    /// Stands for a run of the machine that is over for certain. No boot identifier looks like it (random(4): a UUID).
    package static let restored = "restored"

    /// The run in which the database was left open; nil after a clean stop.
    package static func read(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'open_since_boot'")
    }

    /// Notes that the database is open in this run.
    package static func write(_ boot: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('open_since_boot', ?)", arguments: [boot])
    }

    /// Notes a clean stop.
    package static func remove(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM meta WHERE key = 'open_since_boot'")
    }
}
