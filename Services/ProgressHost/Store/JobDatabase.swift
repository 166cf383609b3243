import Foundation
import GRDB
import ServiceKit
import SuiteMethods
import SuiteStorage

/// The open `jobs.sqlite`: one connection for the engine's writes, several for reading, and one for checkpoints (WAL, jobs.md "Durability").
final class JobDatabase: Sendable {
    let pool: DatabasePool
    /// The uploaded files, next to the database.
    let uploads: UploadFolder
    /// Runs the checkpoints in place of the writer, except when the log is long (``CheckpointPlan``).
    let checkpointer: WALCheckpointer
    /// Held while the database is open.
    private let lock: OwnerLock
    /// Identifies this boot of the machine (random(4)).
    private let boot: String

    /// Opens or creates `jobs.sqlite` in `directory`.
    ///
    /// Throws `OwnerLock.Refusal` if the lock cannot be taken, `JobSchema.Refusal` if the schema is too new, and SQLite's errors.
    convenience init(directory: URL) throws {
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        try self.init(directory: directory, boot: boot ?? "")
    }

    /// Like `init(directory:)`, with the identifier of the machine's boot.
    init(directory: URL, boot: String) throws {
        self.boot = boot
        uploads = UploadFolder(dataDirectory: directory)
        lock = try OwnerLock(directory: directory.path)
        let path = Self.path(in: directory)
        Self.protect(path)
        LogWrites.gather()
        let checkpointer = WALCheckpointer(path: path)
        self.checkpointer = checkpointer
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            // Must come before the first table is created; allows the sweeper to return space to the file system
            // (sqlite.org/pragma.html#pragma_auto_vacuum).
            if try !db.configuration.readonly && Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            if !db.configuration.readonly { checkpointer.replaceAutomaticCheckpoints(of: db) }
            try db.execute(sql: "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            try db.inTransaction(.deferred) {
                try JobSchema.migrate(db)
                return .commit
            }
        }
    }

    /// Prevents other users from reading clients' books and token hashes, even if an earlier version or a copy left other permissions. SQLite gives a
    /// new log the permissions of the database. If the file cannot be created here, opening the database fails with the reason.
    private static func protect(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { Foundation.close(descriptor) }
        for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
    }

    /// Path of the database.
    static func path(in directory: URL) -> String { directory.appendingPathComponent(SuiteDatabase.jobs.fileName).path }

    /// Records that the database is open during this boot of the machine, and marks what an older program has left behind. If the database was left
    /// open during an earlier boot, or was restored from a backup, events that it does not contain may have been sent, so every open job's `seq`
    /// jumps (websocket.md "Frames"), and the result is true.
    ///
    /// This must be committed before anything is sent. Repeating it has no effect.
    func noteOpening(_ db: Database, jump: Int) throws -> Bool {
        let lastBoot = try OpeningMark.read(db)
        try OpeningMark.write(boot, db)
        try SweepStore(db: db).markLeftovers()
        guard let lastBoot, lastBoot != boot else { return false }
        try JobSequence.raise(by: jump, db)
        return true
    }

    /// Records a clean stop and closes the connections, even if the record cannot be written.
    func close() throws {
        defer {
            try? pool.close()
            try? checkpointer.finish()
        }
        try pool.write { try OpeningMark.close($0) }
    }
}

extension DatabaseError {
    /// Whether storage itself is failing, rather than this one statement.
    var isStorageRefusal: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_MISUSE, .SQLITE_RANGE, .SQLITE_TOOBIG, .SQLITE_ERROR: false
        default: true
        }
    }
}

/// Sizes of the files of `jobs.sqlite`; 0 for a missing file.
struct StorageFiles {
    private let path: String

    init(_ pool: DatabasePool) { path = pool.path }

    func figures(_ state: EngineThread.StorageState) -> HostFigures.Storage {
        let refusal: String? =
            switch state {
            case .working: nil
            case .refusing(let reason): reason
            }
        return HostFigures.Storage(
            refusal: refusal, databaseBytes: FileSize.bytes(at: path) ?? 0,
            logBytes: FileSize.bytes(at: path + "-wal") ?? 0)
    }
}
