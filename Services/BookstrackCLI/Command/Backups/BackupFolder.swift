import Foundation
import SuiteStorage

/// A finished backup: a directory with a copy of each database and a manifest.
struct BackupFolder {
    let path: String
    let manifest: BackupManifest

    /// The backup that was just made.
    init(path: String, manifest: BackupManifest) {
        self.path = path
        self.manifest = manifest
    }

    /// Opens the backup in a directory. Throws `CommandFailure` when there is none, when it is unfinished, or when a later program made it
    /// in a form that this one does not know.
    init(openingAt path: String) throws {
        let file = "\(path)/\(BackupManifest.fileName)"
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CommandFailure(.noInput, "there is no backup at \(path)")
        }
        guard isDirectory.boolValue else {
            throw CommandFailure(
                .badInput, "\(path) is a file; name the directory of a backup, or nothing for the databases in use")
        }
        guard access(path, R_OK | X_OK) == 0 else {
            throw CommandFailure(errno: errno, "cannot look into \(path)")
        }
        guard FileManager.default.fileExists(atPath: file) else {
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

    /// Whether `path` holds a backup, finished or readable or not.
    static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(BackupManifest.fileName)")
    }

    /// Path of the copy of a database.
    func copy(of database: SuiteDatabase) -> String { "\(path)/\(database.fileName)" }
}
