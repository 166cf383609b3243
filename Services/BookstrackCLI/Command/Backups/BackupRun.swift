import Foundation
import GRDB
import Observability
import ServiceKit
import SuiteStorage

/// Makes a backup of a data directory, whether services run on it or not. See `Shared/Storage/Backups.md` for how and why.
struct BackupRun {
    /// Pages that are copied at a time: 4 MiB.
    private static let pagesPerStep: CInt = 1_024

    /// The data directory.
    let storage: String
    let databases: [SuiteDatabase]
    /// The wall clock.
    var now: () -> Date = Date.init

    /// Makes the backup `bookstrack-TIME` in the directory `place`, which is made when it is missing. Throws `CommandFailure`, and leaves nothing
    /// behind then.
    func make(in place: String) throws -> BackupFolder {
        for database in databases { try checkPresence(of: database) }
        let start = now()
        let place = URL(filePath: place).standardizedFileURL.path(percentEncoded: false)
        let isNew = try makePlace(place)
        let path = URL(filePath: place).appending(path: "bookstrack-\(TimeStamp.text(start))").path(
            percentEncoded: false)
        do {
            try DurableFile.createDirectory(path)
        } catch {
            if isNew { rmdir(place) }
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
            for directory in [path, place] + (isNew ? [Self.parent(of: place)] : []) { try DurableFile.sync(directory) }
            return BackupFolder(path: path, manifest: manifest)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            if isNew { rmdir(place) }
            throw error
        }
    }

    /// Makes the directory of the backups, readable by this account only; returns whether it was missing.
    private func makePlace(_ place: String) throws -> Bool {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory) {
            guard isDirectory.boolValue else {
                throw CommandFailure(.cannotWrite, "\(place) is a file; name a directory for the backups")
            }
            return false
        }
        let above = Self.parent(of: place)
        if !FileManager.default.fileExists(atPath: above) { _ = try makePlace(above) }
        try DurableFile.createDirectory(place)
        return true
    }

    private func checkPresence(of database: SuiteDatabase) throws {
        let path = "\(storage)/\(database.fileName)"
        guard access(path, F_OK) == 0 else {
            throw CommandFailure(
                errno: errno, "cannot find \(path); check BOOKSTRACK_DATA_DIR")
        }
    }

    /// Copies a database as it is at one moment, and sees that the copy is whole.
    private func copy(_ database: SuiteDatabase, into folder: String) throws -> BackupManifest.Entry {
        let source = "\(storage)/\(database.fileName)"
        let target = "\(folder)/\(database.fileName)"
        try DurableFile.create(target)
        do {
            try copy(source, to: target)
        } catch let error as DatabaseError {
            let culprit = error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR ? target : source
            throw CommandFailure(error, at: culprit)
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

    /// The read transaction around all steps keeps what is copied the same, whatever is written meanwhile; the copy leaves WAL mode, so that
    /// it is one file that can be read from anywhere.
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
