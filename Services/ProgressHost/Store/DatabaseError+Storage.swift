import GRDB

extension DatabaseError {
    /// What is wrong, in words an operator can act on.
    var storageReason: String {
        switch resultCode {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_READONLY: "the database is read-only"
        case .SQLITE_IOERR: "the disk reports an I/O error"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: "the database is damaged"
        case .SQLITE_CANTOPEN: "the database cannot be opened"
        default: message ?? "SQLite error \(resultCode.rawValue)"
        }
    }

    /// Whether storage itself refuses, and not this one statement.
    var isStorageRefusal: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_MISUSE, .SQLITE_RANGE, .SQLITE_TOOBIG, .SQLITE_ERROR: false
        default: true
        }
    }
}
