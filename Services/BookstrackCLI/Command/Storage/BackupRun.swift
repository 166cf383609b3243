import BookstrackContract
import Foundation
import GRDB
import Observability
import ServiceKit
import SuiteStorage

/// Backs up databases of a data directory, whether or not the services are running. `Shared/Storage/Backups.md` explains the method.
struct BackupRun {
    /// Pages copied at a time: 4 MiB.
    private static let pagesPerStep: CInt = 1_024

    /// The data directory.
    let storage: String
    let databases: [SuiteDatabase]
    var clock: any SuiteClock = SystemClock()

    /// Creates the backup `bookstrack-TIME` in the directory `place`, which is created if missing. On failure, throws `CommandFailure` and leaves no
    /// partial backup behind.
    func make(in place: String) throws -> BackupFolder {
        for database in databases { try checkPresence(of: database) }
        let start = clock.date
        let place = URL(filePath: place).standardizedFileURL.path(percentEncoded: false)
        let created = try makePlace(place)
        let path = URL(filePath: place).appending(path: "bookstrack-\(TimeStamp.text(start))").path(
            percentEncoded: false)
        do {
            try DurableFile.createDirectory(path)
        } catch {
            Self.remove(created)
            throw error
        }
        do {
            let files = try databases.map { try copy($0, into: path) }
            let manifest = BackupManifest(
                suiteVersion: SuiteVersion.text, madeAt: start.millisecondsSince1970, files: files)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let text = String(decoding: try encoder.encode(manifest), as: UTF8.self) + "\n"
            try DurableFile.sync(path)
            try DurableFile.write(text, to: "\(path)/\(BackupManifest.fileName)")
            for directory in [path, place] + created.reversed().map(Self.parent) { try DurableFile.sync(directory) }
            return BackupFolder(path: path, manifest: manifest)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            Self.remove(created)
            throw error
        }
    }

    /// Creates the directory for backups and its missing parents, readable only by this account; returns the created ones, outermost first. Throws
    /// `CommandFailure` if the path is that of a file, or if a directory cannot be created; none is then left behind.
    private func makePlace(_ place: String) throws -> [String] {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory) {
            guard isDirectory.boolValue else {
                throw CommandFailure(.cannotWrite, "\(place) is a file; give a directory for the backups")
            }
            return []
        }
        let above = Self.parent(of: place)
        let created = FileManager.default.fileExists(atPath: above) ? [] : try makePlace(above)
        do {
            try DurableFile.createDirectory(place)
        } catch {
            Self.remove(created)
            throw error
        }
        return created + [place]
    }

    /// Removes directories that this run has created, innermost first, unless something else is in them by now.
    private static func remove(_ created: [String]) {
        for directory in created.reversed() { rmdir(directory) }
    }

    private func checkPresence(of database: SuiteDatabase) throws {
        let path = "\(storage)/\(database.fileName)"
        guard access(path, F_OK) == 0 else {
            throw CommandFailure(
                errno: errno, "cannot find \(path) (check BOOKSTRACK_DATA_DIR)")
        }
    }

    /// Copies a consistent state of a database, and checks the integrity of the copy.
    private func copy(_ database: SuiteDatabase, into folder: String) throws -> BackupManifest.Entry {
        let source = "\(storage)/\(database.fileName)"
        let target = "\(folder)/\(database.fileName)"
        try DurableFile.create(target)
        do {
            try copy(source, to: target)
        } catch let error as DatabaseError {
            throw CommandFailure(error, at: Self.isOfWriting(error) ? target : source)
        }
        try DurableFile.sync(target)
        let (bytes, sha256) = try DurableFile.digest(target)
        let inspection = DatabaseInspection(path: target)
        let stamp = try inspection.stamp()
        guard stamp.version > 0 else {
            throw CommandFailure(.badInput, "\(source) is empty: no service has written to it yet")
        }
        if let fault = try inspection.faults(.whole).first {
            throw CommandFailure(.badInput, "\(source) is damaged (\(fault)); examine it with: bookstrack check --full")
        }
        return BackupManifest.Entry(database: database, bytes: bytes, sha256: sha256, schema: stamp)
    }

    /// Whether the error occurred while writing the copy. Any other error is attributed to the database, which is only read.
    static func isOfWriting(_ error: DatabaseError) -> Bool {
        let writing: [ResultCode] = [
            .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
        ]
        return error.resultCode == .SQLITE_FULL || writing.contains(error.extendedResultCode)
    }

    /// Copies a database in one read transaction, which keeps the copied state consistent while other processes write. The copy is taken out of WAL
    /// mode, so it is a single file that can be read even on a read-only medium.
    private func copy(_ source: String, to target: String) throws {
        let reader = try StoredDatabase(path: source).open()
        let writer = try DatabaseQueue(path: target)
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        try reader.unsafeRead { source in
            try source.inTransaction(.deferred) {
                _ = try SchemaStamp(source)
                try writer.writeWithoutTransaction { target in
                    try source.backup(to: target, pagesPerStep: Self.pagesPerStep)
                }
                return .commit
            }
        }
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try writer.close()
        try reader.close()
    }

    private static func parent(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    }
}

/// A complete backup: a directory with copies of databases and a manifest.
struct BackupFolder {
    let path: String
    let manifest: BackupManifest

    /// Describes a backup that was just created.
    init(path: String, manifest: BackupManifest) {
        self.path = path
        self.manifest = manifest
    }

    /// Opens the backup in a directory. Throws `CommandFailure` if there is no complete backup that this version can read.
    init(openingAt path: String) throws {
        let file = "\(path)/\(BackupManifest.fileName)"
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CommandFailure(.noInput, "there is no backup at \(path)")
        }
        guard isDirectory.boolValue else {
            throw CommandFailure(
                .badInput, "\(path) is a file; give the directory of a backup")
        }
        guard access(path, R_OK | X_OK) == 0 else {
            throw CommandFailure(errno: errno, "cannot read \(path)")
        }
        guard FileManager.default.fileExists(atPath: file) else {
            if let newest = Self.newest(in: path) {
                throw CommandFailure(
                    .badInput, "\(path) contains backups but is not one itself; the newest one is \(newest)")
            }
            throw CommandFailure(
                .badInput,
                "\(path) is not a complete backup: it has no \(BackupManifest.fileName), which is written last")
        }
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(.notPermitted, "\(file) cannot be read")
        }
        guard let head = try? JSONDecoder().decode(BackupManifest.Head.self, from: bytes) else {
            throw CommandFailure(.badInput, "\(file) is malformed")
        }
        guard head.format <= BackupManifest.currentFormat else {
            throw CommandFailure(
                .badInput, "\(path) was made by bookstrack \(head.suiteVersion); restore it with that version")
        }
        guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: bytes), !manifest.files.isEmpty else {
            throw CommandFailure(.badInput, "\(file) is malformed")
        }
        self.init(path: path, manifest: manifest)
    }

    /// Path of the newest complete backup in the directory `place`; nil if there is none. The names begin with "bookstrack-" and a sortable time.
    private static func newest(in place: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.filter { $0.hasPrefix("bookstrack-") }.sorted().reversed()
            .map { URL(filePath: place).appending(path: $0).path(percentEncoded: false) }
            .first { FileManager.default.fileExists(atPath: "\($0)/\(BackupManifest.fileName)") }
    }

    /// Path of a database's copy.
    func copy(of database: SuiteDatabase) -> String { "\(path)/\(database.fileName)" }
}

/// Describes a backup's files. The manifest is written last, so a backup without it is incomplete.
struct BackupManifest: Codable, Equatable {
    /// Version of the manifest's format.
    static let currentFormat = 1
    static let fileName = "manifest.json"

    /// The part that is common to all formats, including later ones.
    struct Head: Decodable {
        var format: Int
        var suiteVersion: String
    }

    /// The copy of one database.
    struct Entry: Codable, Equatable {
        var database: SuiteDatabase
        var bytes: Int
        /// SHA-256 of the file, in lower-case hexadecimal.
        var sha256: String
        var schema: SchemaStamp
    }

    var format = BackupManifest.currentFormat
    /// Version of the suite that made the backup.
    var suiteVersion: String
    /// When the backup started, in milliseconds since 1970. Everything that was committed before this time is included.
    var madeAt: Int64
    /// The same time as `madeAt`, in ISO 8601.
    var madeAtText: String
    var files: [Entry]

    init(suiteVersion: String, madeAt: Int64, files: [Entry]) {
        self.suiteVersion = suiteVersion
        self.madeAt = madeAt
        madeAtText = ISO8601Milliseconds.string(fromMilliseconds: madeAt)
        self.files = files
    }
}

/// Times in file names: UTC, sortable, and free of characters that are special in a shell.
enum TimeStamp {
    /// A time, for example "20251115T200000.000Z".
    static func text(_ time: Date) -> String {
        ISO8601Milliseconds.string(fromMilliseconds: time.millisecondsSince1970)
            .filter { $0 != "-" && $0 != ":" }
    }
}
