import Foundation
import GRDB

extension CommandFailure {
    /// A system call failed (errno(3)).
    init(errno code: Int32, _ what: String) {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT: self.init(.cannotWrite, "\(what): \(reason); free disk space and try again")
        case EEXIST: self.init(.cannotWrite, "\(what): \(reason); nothing is overwritten, so choose another place")
        case EACCES, EPERM, EROFS:
            self.init(.notPermitted, "\(what): \(reason); run the command as the user that owns the files")
        case ENOENT: self.init(.noInput, "\(what): \(reason)")
        default: self.init(.cannotWrite, "\(what): \(reason)")
        }
    }

    /// SQLite failed at the database at `path` (sqlite.org/rescode.html).
    init(_ error: DatabaseError, at path: String) {
        switch error.resultCode {
        case .SQLITE_FULL: self.init(.cannotWrite, "the disk is full at \(path); free disk space and try again")
        case .SQLITE_IOERR: self.init(.cannotWrite, "the disk reports an I/O error at \(path)")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .notPermitted,
                "\(path) cannot be opened; run the command as the user that owns it (\(error.message ?? "no reason given"))"
            )
        case .SQLITE_CORRUPT:
            self.init(.badInput, "\(path) is damaged: \(error.message ?? "no reason given")")
        case .SQLITE_NOTADB:
            self.init(.badInput, "\(path) is not a database: \(error.message ?? "no reason given")")
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(.tryLater, "\(path) is locked by another process")
        default:
            self.init(.unexpectedAnswer, "\(path): \(error.message ?? "SQLite error \(error.resultCode.rawValue)")")
        }
    }
}
