import Foundation
import GRDB
import Logging
import SuiteStorage

/// Opens `cache.sqlite`. One that cannot be read is set aside and made anew: it is only a cache.
struct CacheDatabase: Sendable {
    let path: String
    let logger: Logger

    /// - Throws: what SQLite says when even a new database cannot be made.
    func open() throws -> DatabasePool {
        do {
            return try openAsItIs()
        } catch {
            guard Self.isUnreadable(error) else { throw error }
            logger.error("the cache is set aside", metadata: ["path": "\(path)", "reason": "\(error)"])
            try setAside()
            return try openAsItIs()
        }
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

    private func openAsItIs() throws -> DatabasePool {
        var configuration = GRDB.Configuration()
        configuration.maximumReaderCount = 2
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { db in
            try CacheSchema.migrate(db)
            if let fault = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), fault != "ok" {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: fault)
            }
        }
        return pool
    }
}
