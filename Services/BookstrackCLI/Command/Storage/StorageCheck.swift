import Foundation
import GRDB
import ServiceKit
import SuiteStorage

/// Checks the databases of a data directory.
struct StorageCheck {
    /// The data directory.
    let storage: String
    let depth: DatabaseInspection.Depth

    /// The findings about the structure, the schema and the contents of the databases.
    func findings() -> [Finding] { findings { $0.findings() } }

    /// The findings of the checks that decide whether the services can use the databases.
    func soundness() -> [Finding] { findings { $0.soundness() } }

    private func findings(_ look: (DatabaseCheck) -> [Finding]) -> [Finding] {
        guard access(storage, R_OK | X_OK) == 0 else {
            return [
                .problem(
                    storage, "cannot be read: \(String(cString: strerror(errno)))",
                    advice: "point BOOKSTRACK_DATA_DIR at the data directory, or run the command as its owner")
            ]
        }
        return SuiteDatabase.allCases.flatMap { findings($0, look) }
    }

    private func findings(_ database: SuiteDatabase, _ look: (DatabaseCheck) -> [Finding]) -> [Finding] {
        let path = "\(storage)/\(database.fileName)"
        guard FileManager.default.fileExists(atPath: path) else {
            let statement = "does not exist; its service creates it at startup"
            return [
                database == .jobs
                    ? .warning(
                        database.fileName, statement,
                        advice:
                            "if there were jobs, check that BOOKSTRACK_DATA_DIR is the right directory (\(storage))"
                    )
                    : .ok(database.fileName, statement)
            ]
        }
        return look(DatabaseCheck(path: path, database: database, depth: depth))
    }
}

/// Checks that a database is intact, readable by this program, and consistent. The check changes nothing, and can be run while the
/// service that owns the database is running.
struct DatabaseCheck {
    /// Maximum number of violations that are listed for each invariant.
    private static let maxExamples = 3

    let path: String
    let database: SuiteDatabase
    let depth: DatabaseInspection.Depth

    /// Checks the structure and the schema and, if these are sound, the constraints between rows.
    func findings() -> [Finding] {
        let sound = soundness()
        guard sound.allSatisfy({ $0.verdict != .problem }) else { return sound }
        do {
            return sound + (try inspection.read { try content($0) })
        } catch {
            return sound + [.problem(subject, error)]
        }
    }

    /// Checks the structure and the schema, which decide whether a service can use the file.
    func soundness() -> [Finding] {
        do {
            let faults = try inspection.faults(depth)
            guard faults.isEmpty else { return faults.map { .problem(subject, "damaged: \($0)", advice: cure) } }
            return [.ok(subject, "\(depth.pragma): no damage found"), schema(try inspection.stamp())]
        } catch {
            // If the schema is damaged, SQLite does not even begin its check.
            let failure = CommandFailure(error)
            return [.problem(subject, failure.message, advice: failure.status == .badInput ? cure : nil)]
        }
    }

    private var inspection: DatabaseInspection { DatabaseInspection(path: path) }

    private var subject: String { database.fileName }

    private var cure: String {
        switch database {
        case .jobs: "stop the services and restore a backup: bookstrack restore BACKUP"
        case .cache: "stop enrichment-worker and remove the file; it will be created again"
        }
    }

    private func schema(_ stamp: SchemaStamp) -> Finding {
        let text = "schema version \(stamp.version), readable by version \(stamp.minReader) or later"
        guard stamp.version > 0 else { return .problem(subject, "it does not have the suite's schema", advice: cure) }
        guard database.reads(stamp) else {
            return .problem(
                subject, "\(text); this program reads up to \(database.version)",
                advice: "use the newer version of the suite, or restore a backup that this one can read")
        }
        if stamp.version < database.version {
            return .ok(subject, "\(text); its service migrates it to version \(database.version) at the next start")
        }
        return .ok(subject, stamp.version > database.version ? "\(text); it was written by a later version" : text)
    }

    private func content(_ db: Database) throws -> [Finding] {
        let stamp = try SchemaStamp(db)
        let danglingReferences = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
        let keys = Finding.problem(subject, "references to rows that do not exist: \(danglingReferences)", advice: cure)
        let findings = danglingReferences == 0 ? [] : [keys]
        guard database == .jobs, stamp.version >= JobInvariant.minVersion else { return findings }
        return try findings + JobInvariant.all(version: stamp.version).map { try finding($0, db) }
    }

    private func finding(_ invariant: JobInvariant, _ db: Database) throws -> Finding {
        let (examples, count) = try invariant.violations(db, limit: Self.maxExamples)
        guard count > 0 else { return .ok(subject, invariant.statement) }
        let more = count > examples.count ? " and \(count - examples.count) more" : ""
        return .problem(
            subject, "violated: \(invariant.statement) (\(examples.joined(separator: ", "))\(more))", advice: cure)
    }
}

/// Inspects one database file without changing it. Throws `CommandFailure`.
struct DatabaseInspection {
    /// How thoroughly the file's structure is checked (sqlite.org/pragma.html#pragma_integrity_check).
    enum Depth {
        /// Checks every page, but neither `UNIQUE` constraints nor whether indexes and tables agree.
        case quick
        /// Also checks the `UNIQUE` constraints, and whether indexes and tables agree.
        case whole

        var pragma: String {
            switch self {
            case .quick: "quick_check"
            case .whole: "integrity_check"
            }
        }
    }

    /// Maximum number of faults that are listed.
    private static let maxFaults = 5

    let path: String

    /// The database's schema versions.
    func stamp() throws -> SchemaStamp { try read { try SchemaStamp($0) } }

    /// The faults reported by SQLite; empty if there are none.
    func faults(_ depth: Depth) throws -> [String] {
        try read { db in
            try String.fetchAll(db, sql: "PRAGMA \(depth.pragma)(\(Self.maxFaults))").filter { $0 != "ok" }
        }
    }

    /// Runs `body` on one consistent state of the database.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            let queue = try StoredDatabase(path: path).open()
            return try queue.unsafeRead { db in
                var value: Value?
                try db.inTransaction(.deferred) {
                    value = try body(db)
                    return .commit
                }
                guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return value
            }
        } catch let error as DatabaseError {
            throw CommandFailure(error, at: path)
        }
    }
}

/// Checks whether a backup matches its manifest and can be restored by this program.
struct BackupCheck {
    let backup: BackupFolder
    let depth: DatabaseInspection.Depth

    /// The findings of all checks, file by file in the manifest's order.
    func findings() -> [Finding] {
        let manifest = backup.manifest
        let head = Finding.ok(
            BackupManifest.fileName, "made at \(manifest.madeAtText) by bookstrack \(manifest.suiteVersion)")
        return [head] + manifest.files.flatMap { entry in findings(entry) { $0.findings() } }
    }

    /// The findings of the checks that decide whether a service can use the files: bytes, structure and schema.
    func soundness() -> [Finding] {
        backup.manifest.files.flatMap { entry in findings(entry) { $0.soundness() } }
    }

    private func findings(_ entry: BackupManifest.Entry, _ look: (DatabaseCheck) -> [Finding]) -> [Finding] {
        let path = backup.copy(of: entry.database)
        let subject = entry.database.fileName
        do {
            let (bytes, sha256) = try DurableFile.digest(path)
            guard bytes == entry.bytes, sha256 == entry.sha256 else {
                return [
                    .problem(
                        subject, "differs from the manifest: it was changed or damaged",
                        advice: "use another backup")
                ]
            }
        } catch {
            return [.problem(subject, error)]
        }
        return [.ok(subject, "\(ByteCount.text(entry.bytes)), as in the manifest")]
            + look(DatabaseCheck(path: path, database: entry.database, depth: depth))
    }
}
