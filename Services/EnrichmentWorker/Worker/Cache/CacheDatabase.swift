import Foundation
import GRDB
import Logging
import SuiteStorage

/// Opens `cache.sqlite`, which several workers may share. One that cannot be read is set aside and created again: it is only a cache.
struct CacheDatabase: Sendable {
    /// The connections to a file, and which file that is.
    struct Opened: Sendable {
        let pool: DatabasePool
        let file: FileIdentity?
    }

    let path: String
    let logger: Logger

    /// - Throws: what SQLite says when even a new database cannot be made.
    func open() throws -> Opened {
        // Two workers that start together must not both find the file unreadable and set aside each other's new one.
        let lock = FileLock(path: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        return try openLocked()
    }

    /// Opens the database again after `clear` has put `file` away, unless another worker has done so.
    func reopen(after file: FileIdentity?, _ clear: () throws -> Void) throws -> Opened {
        let lock = FileLock(path: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        if FileIdentity(path) == file { try clear() }
        return try openLocked()
    }

    /// Moves the files out of the way; an earlier one that was set aside is replaced.
    func setAside() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            let target = "\(path).unreadable\(suffix)"
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.moveItem(atPath: path + suffix, toPath: target)
        }
    }

    /// Removes the files.
    func remove() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Whether the database itself is at fault, rather than the disk or its rights.
    static func isUnreadable(_ error: any Error) -> Bool {
        if error is CacheSchema.TooNew { return true }
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
            || error.resultCode == .SQLITE_ERROR
    }

    private func openLocked() throws -> Opened {
        do {
            return try openAsItIs()
        } catch {
            guard Self.isUnreadable(error) else { throw error }
            logger.error("the cache is set aside", metadata: ["path": "\(path)", "reason": "\(error)"])
            try setAside()
            return try openAsItIs()
        }
    }

    private func openAsItIs() throws -> Opened {
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = 2
        // Another worker's batch or eviction may have the database for that long.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { try CacheSchema.migrate($0) }
        // Outside of a write, which would keep other workers from writing for as long as it takes.
        try pool.read { db in
            if let fault = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), fault != "ok" {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: fault)
            }
        }
        return Opened(pool: pool, file: FileIdentity(path))
    }
}

/// Which file a path names (stat(2)): another one has the name after the first was moved or removed.
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil when there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}

/// A lock among processes for as long as it lives; the kernel drops it when its process ends (flock(2)). Where no file can be made it holds
/// nothing, and the database itself will say why.
private final class FileLock {
    private let descriptor: Int32

    /// Waits for the lock.
    init(path: String) {
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Keeps the cache below its maximum size: least recently used entries are evicted first (metadata.md "Cache").
struct CacheEviction: Sendable {
    /// One in this many answers is evicted at a time.
    private static let share = 10

    /// Bytes.
    let limit: Int

    func run(_ db: Database) throws {
        while try Self.bytesInUse(db) > limit {
            let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0
            guard count > 0 else { return }
            try db.execute(
                sql: "DELETE FROM answer WHERE key IN (SELECT key FROM answer ORDER BY used_at, rowid LIMIT ?)",
                arguments: [max(1, count / Self.share)])
        }
    }

    /// Pages that hold something; freed ones are used again by SQLite.
    static func bytesInUse(_ db: Database) throws -> Int {
        let pages = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        let free = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
        let size = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_size")) ?? 0
        return (pages - free) * size
    }
}
