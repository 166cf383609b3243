import Foundation
import GRDB
import SuiteStorage

/// Replaces a database with another file, and sets the current files aside. Throws `CommandFailure`.
///
/// SQLite would replay an old write-ahead log into the new file. The log is therefore checkpointed into the old database first. If that fails, for
/// example because the old database is damaged, the old file is removed before its log, so a log is never beside a database that it does not belong
/// to. If the power fails between the two, the next exchange finds only the log.
struct DatabaseExchange {
    private static let suffixes = ["", "-wal", "-shm"]

    /// Path of the database.
    let path: String
    /// Directory for the current files, created on demand.
    let aside: String
    let owner: StorageOwner

    /// Path of the new file, which is beside the database until the exchange.
    private var staged: String { path + ".restoring" }

    /// Copies the file `copy` to a new file beside the database, lets `prepare` change the new file in one transaction, and syncs it to disk.
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

    /// Removes the files created by ``stage(_:prepare:)``.
    func unstage() {
        for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: staged + suffix) }
    }

    /// Checkpoints the current database's log as far as possible, and locks the database exclusively. Returns nil if there is no database; throws if
    /// it cannot be locked, for example because another process has it open.
    func lock() throws -> DatabaseLock? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        settle()
        do {
            return try DatabaseLock(path: path)
        } catch DatabaseLock.Refusal.failed(let call, _, let code) {
            throw CommandFailure(errno: code, "cannot \(call) \(path)")
        } catch {
            throw CommandFailure(
                .tryLater, "\(path) is open in another process; stop the services, and close other programs that use it"
            )
        }
    }

    /// Keeps the current files in `aside`, and moves the staged file to the database's path. Call ``lock()`` first, so no process has the
    /// database open.
    func exchange() throws {
        let present = Self.suffixes.map { path + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
        if !present.isEmpty { try keep(present) }
        let hasLog = present.contains(path + "-wal")
        for file in present where hasLog || file != path { try remove(file) }
        guard rename(staged, path) == 0 else { throw CommandFailure(errno: errno, "cannot rename \(staged)") }
    }

    /// Links the current files into `aside`.
    private func keep(_ files: [String]) throws {
        if !FileManager.default.fileExists(atPath: aside) {
            try DurableFile.createDirectory(aside)
            try owner.give(aside)
        }
        for file in files {
            let name = URL(filePath: file).lastPathComponent
            guard link(file, "\(aside)/\(name)") == 0 else {
                throw CommandFailure(errno: errno, "cannot move \(file) aside")
            }
        }
        try DurableFile.sync(aside)
    }

    private func remove(_ file: String) throws {
        guard unlink(file) == 0 else { throw CommandFailure(errno: errno, "cannot replace \(file)") }
    }

    /// Checkpoints as much of the log as possible; if nothing is left, closing the last connection removes the log.
    private func settle() {
        guard let queue = try? DatabaseQueue(path: path) else { return }
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? queue.close()
    }
}
