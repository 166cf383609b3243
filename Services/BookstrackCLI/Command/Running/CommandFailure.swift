import BookstrackClient
import BookstrackContract
import Foundation
import GRDB
import ServiceKit

/// A failure as shown to the user, with its exit status.
struct CommandFailure: Error, Equatable {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Converts any error thrown by a command.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as ServiceFailure: self.init(.unavailable, failure.description)
        case let error as BookstrackError: self.init(call: error)
        case is CancellationError: self.init(.interrupted, "cancelled")
        case let error as SettingsError:
            self.init(error.exitCode == .usage ? .usage : .configuration, error.description)
        default: self.init(.unexpectedAnswer, String(describing: error))
        }
    }

    /// A failure to follow a job or to read its results; the job itself is not affected.
    init(_ error: any Error, reading job: JobID) {
        self = CommandFailure(error).about(job).adding("read the results with: bookstrack results \(job.short)")
    }

    /// Returns the same failure, with the job's identifier in its message.
    func about(_ job: JobID) -> CommandFailure { CommandFailure(status, "job \(job): \(message)") }

    /// Returns the same failure, with an additional hint in its message.
    func adding(_ more: String) -> CommandFailure { CommandFailure(status, "\(message); \(more)") }

    private init(call error: BookstrackError) {
        switch error.cause {
        case .unreachable?:
            self.init(
                .unavailable, "\(error.message); start the services with deploy/quickstart --keep or docker compose up")
        case .timedOut?, .lost?: self.init(.unavailable, error.message)
        case .untrusted?:
            self.init(
                .unexpectedAnswer,
                "\(error.message); if you trust its certificate authority, set SSL_CERT_FILE to the authority's certificate file"
            )
        case .cancelled?: self.init(.interrupted, "cancelled")
        case .malformed?, .unsupported?: self.init(.unexpectedAnswer, "unexpected response: \(error.message)")
        case .refused?: self.init(refusal: error)
        case nil where error.isRefusal: self.init(refusal: error)
        case nil:
            switch error.code {
            case .unauthorized, .tokenMissing: self.init(.notPermitted, error.description)
            case .cancelled: self.init(.interrupted, "cancelled")
            case .notFound: self.init(.noInput, error.message)
            case .connectionFailed: self.init(.unavailable, error.message)
            default: self.init(.unexpectedAnswer, "unexpected response: \(error.message)")
            }
        }
    }

    private init(refusal: BookstrackError) {
        let wait = refusal.retryAfterSeconds.map { "; try again in \($0) s" } ?? ""
        switch (refusal.serverCode, refusal.reason) {
        case (.quotaExhausted, _):
            // The message names the providers. The hint names none, because any of them may be the one whose quota is used up.
            self.init(.limited, "\(refusal)\(wait); see what limits the providers with: bookstrack status")
        case (.providerError, _), (.providerTimeout, _):
            self.init(.unavailable, "\(refusal)\(wait); check the providers with: bookstrack health enrichment-worker")
        case (.batchTooLarge, _):
            self.init(
                .unexpectedAnswer,
                "\(refusal); use a smaller --batch-size, or raise BOOKSTRACK_MAX_BATCH_BOOKS")
        case (_, .invalid?): self.init(.badInput, refusal.description)
        case (_, let reason?): self.init(ExitStatus(reason), "\(refusal)\(wait)")
        case (_, nil) where refusal.status == 401:
            self.init(.notPermitted, "the token was refused, or there is no such job: \(refusal)")
        case (_, nil): self.init(.unexpectedAnswer, refusal.description)
        }
    }
}

extension CommandFailure {
    /// The failure of a system call (errno(3)).
    ///
    /// - Parameter missing: The status if there is no such file or directory.
    init(errno code: Int32, _ what: String, missing: ExitStatus = .noInput) {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT: self.init(.cannotWrite, "\(what): \(reason); free up disk space and try again")
        case EEXIST:
            self.init(.cannotWrite, "\(what): \(reason); existing files are not overwritten, so choose another path")
        case EACCES, EPERM:
            self.init(.notPermitted, "\(what): \(reason); run the command as the user that owns the files")
        case ENOENT: self.init(missing, "\(what): \(reason)")
        default: self.init(.cannotWrite, "\(what): \(reason)")
        }
    }

    /// Why Foundation could not read or write a file: in the words of strerror(3) if a system call failed, because the error's own description may be
    /// only a number or name another reason.
    static func reason(of error: any Error) -> String {
        let cause = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        guard let cause, cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(cause.code)))
    }

    /// A failure of SQLite on the database at `path` (sqlite.org/rescode.html).
    init(_ error: DatabaseError, at path: String) {
        switch error.resultCode {
        case .SQLITE_FULL: self.init(.cannotWrite, "the disk is full at \(path); free up disk space and try again")
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
