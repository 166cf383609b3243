import Foundation
import GRDB

/// The open `jobs.sqlite`: one writing connection for the engine, several reading ones (WAL, spec/05).
final class JobDatabase: Sendable {
    let pool: DatabasePool
    /// Held as long as the database is open.
    private let lock: OwnerLock
    /// Whether the machine, not just the process, went down without a clean shutdown since the database was last open.
    let followsUncleanMachineStop: Bool

    /// Opens or creates `jobs.sqlite` in `directory`.
    ///
    /// Throws `OwnerLock.Refusal` when another process owns it, `JobSchema.Refusal` for a schema of the future, and what
    /// SQLite says.
    init(directory: URL) throws {
        lock = try OwnerLock(path: directory.appendingPathComponent("jobs.lock").path)
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            // Must come before the first table; it lets the sweeper give space back (sqlite.org/pragma.html#pragma_auto_vacuum).
            if try !db.configuration.readonly && Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            try db.execute(sql: "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384")
        }
        pool = try DatabasePool(
            path: directory.appendingPathComponent("jobs.sqlite").path, configuration: configuration)
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        followsUncleanMachineStop = try pool.write { db in
            try JobSchema.migrate(db)
            let lastBoot = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'open_since_boot'")
            try db.execute(
                sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('open_since_boot', ?)", arguments: [boot ?? ""])
            return lastBoot != nil && lastBoot != (boot ?? "")
        }
    }

    /// Notes that everything was written and closes the connections.
    func close() throws {
        try pool.write { try $0.execute(sql: "DELETE FROM meta WHERE key = 'open_since_boot'") }
        try pool.close()
    }
}
