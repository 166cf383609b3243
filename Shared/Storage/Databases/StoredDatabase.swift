import Foundation
package import GRDB

/// Opens a database for reading, beside the service that owns it or without one.
package struct StoredDatabase: Sendable {
    /// How long a reader waits for a lock, which a writer in WAL mode holds for moments only.
    private static let patience = 5.0

    /// Path of the database file.
    package let path: String

    /// Names the file; nothing is opened.
    package init(path: String) { self.path = path }

    /// A connection that can only read; throws what SQLite says, and that a directory is no database, which SQLite calls an I/O error.
    ///
    /// A reader of a WAL database needs the `-wal` and `-shm` files, or the right to make them (sqlite.org/wal.html#readonly). Where they are
    /// missing because the last owner stopped cleanly, and cannot be made, nobody can write, either, and the file is read as immutable
    /// (sqlite.org/uri.html#uriimmutable).
    package func open() throws -> DatabaseQueue {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "it is a directory")
        }
        do {
            return try open(path)
        } catch {
            guard let address = immutableAddress else { throw error }
            return try open(address)
        }
    }

    /// The file as an address for SQLite; nil while it has a write-ahead log, or when the directory can be written.
    private var immutableAddress: String? {
        let directory = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        guard !FileManager.default.fileExists(atPath: path + "-wal"), access(path, R_OK) == 0,
            access(directory, W_OK) != 0
        else { return nil }
        return URL(filePath: path).absoluteString + "?immutable=1"
    }

    private func open(_ place: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.patience)
        let queue = try DatabaseQueue(path: place, configuration: configuration)
        _ = try queue.unsafeRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
        return queue
    }
}
