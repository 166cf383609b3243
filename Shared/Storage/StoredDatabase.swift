import Foundation
package import GRDB

/// A database in the data directory (two-databases.md).
package enum SuiteDatabase: String, Codable, CaseIterable, Sendable {
    /// What progress-host stores, such as jobs, items and results; progress-host owns it.
    case jobs
    /// What is kept about providers and ISBNs, such as cached responses; enrichment-worker owns it, and creates a new one if it is missing.
    case cache

    /// The file's name in the data directory.
    package var fileName: String { rawValue + ".sqlite" }

    /// Schema version that this program writes.
    package var version: Int {
        switch self {
        case .jobs: JobSchema.version
        case .cache: CacheSchema.version
        }
    }

    /// Whether this program can read a database with this stamp (Migrations.md).
    package func reads(_ stamp: SchemaStamp) -> Bool { stamp.version > 0 && stamp.minReader <= version }

    /// Migrates an older database to `version`; throws the schema's refusal if this program cannot read it.
    package func migrate(_ db: Database) throws {
        switch self {
        case .jobs: try JobSchema.migrate(db)
        case .cache: try CacheSchema.migrate(db)
        }
    }
}

/// Opens a database for reading, whether or not the service that owns it is running.
package struct StoredDatabase: Sendable {
    /// How long a reader waits for a lock, in seconds. In WAL mode, it waits only in rare cases, for example while another process recovers the log
    /// after a crash (sqlite.org/wal.html).
    private static let busyTimeout = 5.0

    /// Path of the database file.
    package let path: String

    /// Sets the path without opening the file.
    package init(path: String) { self.path = path }

    /// Opens a read-only connection. Throws SQLite's errors, except for a directory: there, SQLite would report an I/O error, so a clearer error is
    /// thrown.
    ///
    /// A reader of a WAL database needs the `-wal` and `-shm` files or permission to create them (sqlite.org/wal.html#readonly). If they are missing
    /// because the last owner stopped cleanly, and cannot be created, no other process has the database open; the file is then read as immutable
    /// (sqlite.org/uri.html#uriimmutable).
    package func open() throws -> DatabaseQueue {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "it is a directory")
        }
        do {
            return try open(path)
        } catch {
            guard let address = immutableAddress else { throw error }
            return try open(address)
        }
    }

    /// The file as an immutable SQLite URI; nil if it is unreadable, has a write-ahead log, or is in a writable directory.
    private var immutableAddress: String? {
        let directory = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        guard !FileManager.default.fileExists(atPath: path + "-wal"), access(path, R_OK) == 0,
            access(directory, W_OK) != 0
        else { return nil }
        return URL(filePath: path).absoluteString + "?immutable=1"
    }

    private func open(_ place: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.busyTimeout)
        let queue = try DatabaseQueue(path: place, configuration: configuration)
        _ = try queue.unsafeRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
        return queue
    }
}

/// The schema versions of a database (Migrations.md).
package struct SchemaStamp: Codable, Equatable, Sendable {
    /// The schema version to which the database was last migrated (`PRAGMA user_version`); 0 if none is recorded.
    package var version: Int
    /// The oldest schema version that can read the database; 0 if none is recorded.
    package var minReader: Int

    package init(version: Int, minReader: Int) {
        self.version = version
        self.minReader = minReader
    }

    /// Reads the stamp of an open database.
    package init(_ db: Database) throws {
        version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        minReader =
            version == 0
            ? 0 : try Int.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'min_reader'") ?? 0
    }
}

extension DatabaseError {
    /// The error in words that an operator can act on.
    package var storageReason: String {
        switch resultCode {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_READONLY: "the database is read-only"
        case .SQLITE_IOERR: "the disk reports an I/O error"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: "the database is damaged"
        case .SQLITE_CANTOPEN: "the database cannot be opened"
        default: message ?? "SQLite error \(resultCode.rawValue)"
        }
    }
}
