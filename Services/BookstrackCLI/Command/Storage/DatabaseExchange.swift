import Foundation
import GRDB
import SuiteStorage

/// Puts another file in the place of a database, and the present ones aside. Throws `CommandFailure`.
///
/// The write-ahead log is what makes it delicate: SQLite would replay an old one into the new file. It is moved into the old database first;
/// where that fails, because the old database is damaged, the old file goes before its log, so that no moment pairs a log with a stranger.
struct DatabaseExchange {
    private static let suffixes = ["", "-wal", "-shm"]

    /// Path of the database.
    let path: String
    /// Directory, made when it is needed, for the present files.
    let aside: String
    let owner: StorageOwner

    /// The new file, beside the database until it is exchanged.
    private var staged: String { path + ".restoring" }

    /// Copies a file next to the database, lets `prepare` work on it in one transaction, and waits until it is on the disk.
    func stage(_ copy: String, prepare: (Database) throws -> Void) throws {
        unstage()
        try DurableFile.copy(copy, to: staged)
        do {
            let queue = try DatabaseQueue(path: staged)
            try queue.write { try prepare($0) }
            try queue.close()
        } catch let error as DatabaseError {
            throw CommandFailure(error, at: staged)
        }
        guard chmod(staged, 0o600) == 0 else { throw CommandFailure(errno: errno, "cannot set the mode of \(staged)") }
        try owner.give(staged)
        try DurableFile.sync(staged)
    }

    /// Takes back what ``stage(_:prepare:)`` has put beside the database.
    func unstage() {
        for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: staged + suffix) }
    }

    /// Keeps everybody out of the present database; nil when there is none.
    func seize() throws -> DatabaseSeizure? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        settle()
        do {
            return try DatabaseSeizure(path: path)
        } catch DatabaseSeizure.Refusal.cannotOpen(_, let code) {
            throw CommandFailure(errno: code, "cannot open \(path)")
        } catch {
            throw CommandFailure(
                .tryLater, "\(path) is open in another process; stop the services, and close other programs on it")
        }
    }

    /// Exchanges the files.
    func exchange() throws {
        let present = Self.suffixes.map { path + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
        if !present.isEmpty { try keep(present) }
        if present.contains(path + "-wal") { try remove(path) }
        for file in present where file != path { try remove(file) }
        guard rename(staged, path) == 0 else { throw CommandFailure(errno: errno, "cannot rename \(staged)") }
    }

    /// Gives the present files a second name in `aside`.
    private func keep(_ files: [String]) throws {
        if !FileManager.default.fileExists(atPath: aside) {
            try DurableFile.createDirectory(aside)
            try owner.give(aside)
        }
        for file in files {
            let name = URL(filePath: file).lastPathComponent
            guard link(file, "\(aside)/\(name)") == 0 else { throw CommandFailure(errno: errno, "cannot keep \(file)") }
        }
        try DurableFile.sync(aside)
    }

    private func remove(_ file: String) throws {
        guard unlink(file) == 0 else { throw CommandFailure(errno: errno, "cannot replace \(file)") }
    }

    /// Moves the log into the database, as far as that is possible; closing the last connection then removes the log.
    private func settle() {
        guard let queue = try? DatabaseQueue(path: path) else { return }
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? queue.close()
    }
}
