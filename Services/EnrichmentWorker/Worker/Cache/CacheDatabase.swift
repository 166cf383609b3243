import BookstrackContract
import Foundation
import GRDB
import Logging
import Observability
import ProviderClient
import ServiceKit
import SuiteStorage

/// Opens `cache.sqlite`, which several workers may share. An unreadable database is moved aside and replaced by a new one, because it is only a
/// cache.
struct CacheDatabase: Sendable {
    /// The connections to the database file, and the file's identity.
    struct Opened: Sendable {
        let pool: DatabasePool
        /// The identity of the opened file; nil if the connections are closed, or if another process removed the file while it was being opened.
        let file: FileIdentity?
    }

    let path: String
    let logger: Logger

    /// Opens the database, or replaces it if it is unreadable.
    ///
    /// - Throws: An error from SQLite or the file system if the database can be neither opened nor replaced.
    func open() throws -> Opened {
        // Two workers that start simultaneously must not both find the file unreadable and move each other's new file aside.
        let lock = FileLock(path: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        return try openLocked()
    }

    /// Opens the database again. Before that, calls `clear` to move or remove `file`, unless another worker has already replaced the file.
    func reopen(after file: FileIdentity?, _ clear: () throws -> Void) throws -> Opened {
        let lock = FileLock(path: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        if FileIdentity(path) == file { try clear() }
        return try openLocked()
    }

    /// Moves the database with its WAL and shared-memory files aside, replacing files moved aside earlier.
    func setAside() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            let target = "\(path).unreadable\(suffix)"
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.moveItem(atPath: path + suffix, toPath: target)
        }
    }

    /// Removes the database with its WAL and shared-memory files.
    func remove() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Whether the cause is the database itself, rather than the disk or the file's permissions.
    static func isUnreadable(_ error: any Error) -> Bool {
        if error is CacheSchema.TooNew { return true }
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
            || error.resultCode == .SQLITE_ERROR
    }

    /// Whether storage refuses the database, for example because the disk is full, so that it can be opened once the cause is removed.
    static func isRefused(_ error: any Error) -> Bool {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN: true
        default: false
        }
    }

    private func openLocked() throws -> Opened {
        do {
            return try openAsItIs()
        } catch {
            guard Self.isUnreadable(error) else { throw error }
            logger.error("unreadable cache moved aside", metadata: ["path": "\(path)", "reason": "\(error)"])
            try setAside()
            return try openAsItIs()
        }
    }

    private func openAsItIs() throws -> Opened {
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = 2
        // Another worker's batch or eviction may lock the database for several seconds.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { try CacheSchema.migrate($0) }
        // The check is not made inside a write transaction, which would block other workers' writes for as long as the check takes.
        try pool.read { db in
            if let fault = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), fault != "ok" {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: fault)
            }
        }
        return Opened(pool: pool, file: FileIdentity(path))
    }
}

extension ProviderCache {
    /// Pause between attempts to open the cache.
    private static let openingPause = Duration.seconds(1)

    /// Opens the cache at startup. While storage refuses it, repeats `open` every second and reports the reason, so the worker starts without help
    /// once the cause is removed.
    ///
    /// - Throws: Errors that waiting does not resolve; `CancellationError` if the task is cancelled.
    static func opened(
        clock: any SuiteClock, health: HealthReporter, logger: Logger, _ open: () throws -> ProviderCache
    ) async throws -> ProviderCache {
        var refusals = LogOnce()
        while true {
            do {
                let cache = try open()
                if refusals.end() { health.report("cache", .ready, reason: "it can be opened again") }
                return cache
            } catch {
                guard CacheDatabase.isRefused(error) else { throw error }
                if refusals.note("\(error)") {
                    logger.error("the cache cannot be opened; retrying", metadata: ["error": "\(error)"])
                    health.report("cache", .unavailable, reason: "\(error)")
                }
                try await clock.sleep(until: clock.now.advanced(by: openingPause))
            }
        }
    }
}

/// The identity of the file at a path (stat(2)). It changes if the file is moved or removed and another one is created.
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Reads the identity; nil if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}

/// An inter-process lock that is held while the object exists; the kernel releases it when the process ends (flock(2)). If the lock file cannot be
/// created, nothing is locked; opening the database then reports the reason.
private final class FileLock {
    private let descriptor: Int32

    /// Takes the lock, waiting for it if necessary.
    init(path: String) {
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Keeps the cache below its maximum size. Entries whose last use is more than five minutes in the future, because the clock has been set back since,
/// are evicted first, then the least recently used ones (metadata.md "Cache").
struct CacheEviction: Sendable {
    /// Each step of an eviction removes about 1/`stepDivisor` of the answers.
    private static let stepDivisor = 10

    /// Maximum size in bytes.
    let limit: Int

    /// - Parameter now: Seconds since 1970.
    func run(_ db: Database, now: Int) throws {
        while try Self.bytesInUse(db) > limit {
            let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0
            guard count > 0 else { return }
            let excess = max(1, count / Self.stepDivisor)
            try db.execute(
                sql: "DELETE FROM answer WHERE key IN (SELECT key FROM answer WHERE used_at > ? LIMIT ?)",
                arguments: [now + ClockSkew.tolerance, excess])
            if db.changesCount > 0 { continue }
            try db.execute(
                sql: "DELETE FROM answer WHERE key IN (SELECT key FROM answer ORDER BY used_at, rowid LIMIT ?)",
                arguments: [excess])
        }
    }

    /// Size of the pages in use, without freed pages, which SQLite reuses.
    static func bytesInUse(_ db: Database) throws -> Int {
        let pages = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        let free = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
        let size = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_size")) ?? 0
        return (pages - free) * size
    }
}
