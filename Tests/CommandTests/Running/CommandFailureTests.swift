import ArgumentParser
import BookstrackClient
import BookstrackContract
import GRDB
import Glibc
import ServiceKit
import Testing

@testable import BookstrackCLI

/// The command line's statuses, as opposed to those of the testing library.
fileprivate typealias Status = BookstrackCLI.ExitStatus

/// The message that a user reads when something fails, and the exit status for scripts (deploy/docs/command-line.md "Lists of books").
@Suite("Failures shown to users")
struct CommandFailureTests {
    struct Refusal: Sendable {
        let code: APIErrorCode?
        let status: Int
        let exit: Int32
        let message: String

        init(_ code: APIErrorCode?, _ status: Int, _ exit: Int32, _ message: String) {
            (self.code, self.status, self.exit, self.message) = (code, status, exit, message)
        }
    }

    private static let refusals = [
        Refusal(.invalidISBN, 400, 65, "m (INVALID_ISBN)"), Refusal(.invalidQuery, 400, 65, "m (INVALID_QUERY)"),
        Refusal(.invalidRequest, 400, 76, "m (INVALID_REQUEST)"),
        Refusal(
            .batchTooLarge, 400, 76,
            "m (BATCH_TOO_LARGE); use a smaller --batch-size, or raise BOOKSTRACK_MAX_BATCH_BOOKS"),
        Refusal(.unauthorized, 401, 77, "the token was refused, or there is no such job: m (UNAUTHORIZED)"),
        Refusal(.tokenExpired, 401, 77, "the token was refused, or there is no such job: m (TOKEN_EXPIRED)"),
        Refusal(.forbidden, 403, 76, "m (FORBIDDEN)"), Refusal(.notFound, 404, 76, "m (NOT_FOUND)"),
        Refusal(.jobExists, 409, 76, "m (JOB_EXISTS)"), Refusal(.fileTooLarge, 413, 76, "m (FILE_TOO_LARGE)"),
        Refusal(.rateLimitExceeded, 429, 3, "m (RATE_LIMIT_EXCEEDED)"),
        Refusal(.tooManyConnections, 429, 3, "m (TOO_MANY_CONNECTIONS)"),
        Refusal(.internalError, 500, 76, "m (INTERNAL_ERROR)"),
        Refusal(
            .providerError, 502, 69, "m (PROVIDER_ERROR); check the providers with: bookstrack health enrichment-worker"
        ),
        Refusal(
            .providerTimeout, 504, 69,
            "m (PROVIDER_TIMEOUT); check the providers with: bookstrack health enrichment-worker"),
        Refusal(
            .quotaExhausted, 503, 3,
            "m (QUOTA_EXHAUSTED); see what limits the providers with: bookstrack status"),
        Refusal(.serviceUnavailable, 503, 75, "m (SERVICE_UNAVAILABLE)"),
        Refusal(.scannerUnavailable, 503, 75, "m (SCANNER_UNAVAILABLE)"),
        Refusal(nil, 429, 3, "the server refused the request (status 429)"),
        Refusal(nil, 500, 76, "the server refused the request (status 500)"),
        Refusal(nil, 502, 69, "the server refused the request (status 502)"),
        Refusal(nil, 503, 75, "the server refused the request (status 503)"),
        Refusal(
            nil, 401, 77,
            "the token was refused, or there is no such job: the server refused the request (status 401)"),
    ]

    @Test("each error response has an exit status and a message with its reason and advice", arguments: refusals)
    func responses(refusal: Refusal) {
        let failure = CommandFailure(BookstrackError.refusal(status: refusal.status, code: refusal.code))
        #expect(failure.status.rawValue == refusal.exit)
        #expect(failure.message == refusal.message)
    }

    @Test("the message states how long to wait, followed by the advice")
    func wait() {
        let refusal = BookstrackError.refusal(status: 503, code: .quotaExhausted, retryAfterSeconds: 42)
        let advice = "see what limits the providers with: bookstrack status"
        #expect(CommandFailure(refusal).message == "m (QUOTA_EXHAUSTED); try again in 42 s; \(advice)")
    }

    @Test("a service reported as down is shown as down, not as busy")
    func down() {
        let refusal = BookstrackError.refusal(
            status: 503, code: .serviceUnavailable, details: ["service": "progress-host"])
        #expect(CommandFailure(refusal).status == .unavailable)
    }

    @Test(
        "each connection failure has its own exit status and message",
        arguments: [
            (
                TransportFailure.unreachable("nothing answers at http://h:1 (connection refused)"), 69,
                "nothing answers at http://h:1 (connection refused); start the services with deploy/quickstart --keep or docker compose up"
            ),
            (.timedOut, 69, "the request timed out"),
            (
                .lost("the server closed the connection before its response was complete"), 69,
                "the server closed the connection before its response was complete"
            ),
            (.malformed("no status line"), 76, "unexpected response: no status line"), (.cancelled, 130, "cancelled"),
            (
                .untrusted("the certificate of https://h is for another name"), 76,
                """
                the certificate of https://h is for another name; if you trust its certificate authority, set SSL_CERT_FILE to the \
                authority's certificate file
                """
            ),
        ] as [(TransportFailure, Int32, String)])
    func connections(failure: TransportFailure, exit: Int32, message: String) {
        let failure = CommandFailure(BookstrackError.failure(failure))
        #expect(failure.status.rawValue == exit)
        #expect(failure.message == message)
    }

    @Test(
        "errors of the client and of settings, cancellations and earlier failures have their exit statuses",
        arguments: [
            (BookstrackError(.unauthorized, "x"), 77), (BookstrackError(.tokenMissing, "x"), 77),
            (BookstrackError(.notFound, "x"), 66), (BookstrackError(.unexpectedAnswer, "x"), 76),
            (CancellationError(), 130), (SettingsError.contradiction("x"), 78),
            (SettingsError.unknownOption("--x"), 64), (CommandFailure(.badInput, "x"), 65),
        ] as [(any Error, Int32)])
    func others(error: any Error, status: Int32) {
        #expect(CommandFailure(error).status.rawValue == status)
    }

    @Test(
        "the message for a failed system call contains what failed, the reason and any advice",
        arguments: [
            (ENOSPC, 73, "writing x: No space left on device; free up disk space and try again"),
            (EDQUOT, 73, "writing x: Disk quota exceeded; free up disk space and try again"),
            (EEXIST, 73, "writing x: File exists; existing files are not overwritten, so choose another path"),
            (EACCES, 77, "writing x: Permission denied; run the command as the user that owns the files"),
            (EROFS, 73, "writing x: Read-only file system"),
            (ENOENT, 66, "writing x: No such file or directory"), (EIO, 73, "writing x: Input/output error"),
        ] as [(Int32, Int32, String)])
    func systemCalls(code: Int32, exit: Int32, message: String) {
        let failure = CommandFailure(errno: code, "writing x")
        #expect(failure.status.rawValue == exit)
        #expect(failure.message == message)
    }

    @Test(
        "the message for a database error contains the database's path and the reason",
        arguments: [
            (ResultCode.SQLITE_FULL, 73, "the disk is full at /d; free up disk space and try again"),
            (.SQLITE_IOERR, 73, "the disk reports an I/O error at /d"),
            (.SQLITE_CANTOPEN, 77, "/d cannot be opened; run the command as the user that owns it (why)"),
            (.SQLITE_READONLY, 77, "/d cannot be opened; run the command as the user that owns it (why)"),
            (.SQLITE_CORRUPT, 65, "/d is damaged: why"), (.SQLITE_NOTADB, 65, "/d is not a database: why"),
            (.SQLITE_BUSY, 75, "/d is locked by another process"),
            (.SQLITE_LOCKED, 75, "/d is locked by another process"),
            (.SQLITE_CONSTRAINT, 76, "/d: why"), (.SQLITE_ERROR, 76, "/d: why"),
        ] as [(ResultCode, Int32, String)])
    func databases(code: ResultCode, exit: Int32, message: String) {
        let failure = CommandFailure(DatabaseError(resultCode: code, message: "why"), at: "/d")
        #expect(failure.status.rawValue == exit)
        #expect(failure.message == message)
    }

    @Test("adding a job or a hint to a failure keeps its exit status")
    func composed() throws {
        let job = try #require(JobID("job-12345"))
        let failure = CommandFailure(.tryLater, "it is busy").about(job).adding("wait a little")
        #expect(failure == CommandFailure(.tryLater, "job job-12345: it is busy; wait a little"))
    }
}

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test(
        "each exit status has its documented number",
        arguments: [
            (Status.success, 0), (.incomplete, 1), (.jobFailed, 2), (.limited, 3), (.cancelled, 4), (.usage, 64),
            (.badInput, 65), (.noInput, 66), (.unavailable, 69), (.cannotWrite, 73), (.tryLater, 75),
            (.unexpectedAnswer, 76), (.notPermitted, 77), (.configuration, 78), (.interrupted, 130),
        ] as [(Status, Int32)])
    fileprivate func numbers(status: Status, number: Int32) {
        #expect(status.rawValue == number)
        #expect(status.exit.rawValue == number)
    }

    @Test("no exit status is missing from the documented ones")
    func count() {
        #expect(Status.allCases.count == 15)
    }

    @Test(
        "a book with no result has one of six reasons, three of which are temporary, each with its exit status",
        arguments: [
            (ItemErrorCode.notFound, "not found", 1, false), (.invalidISBN, "invalid", 65, false),
            (.quotaExhausted, "limited", 3, true), (.providerError, "down", 69, true),
            (.providerTimeout, "down", 69, true), (.deadlineExceeded, "busy", 75, true),
            (.cancelled, "cancelled", 4, false),
        ] as [(ItemErrorCode, String, Int32, Bool)])
    func reasons(code: ItemErrorCode, word: String, number: Int32, passes: Bool) {
        let reason = FailureReason(code)
        #expect(reason.word == word)
        #expect(Status(reason).rawValue == number)
        #expect(reason.isPassing == passes)
    }

    @Test(
        "if there are several reasons, the first one in the documented order determines the exit status",
        arguments: [
            ([FailureReason.invalid, .notFound], 1), ([.notFound, .busy], 75), ([.busy, .limited], 3),
            ([.limited, .down], 69), ([.down, .cancelled], 4),
            ([.invalid, .notFound, .busy, .limited, .down, .cancelled], 4), ([], 0),
        ] as [([FailureReason], Int32)])
    func order(reasons: [FailureReason], number: Int32) {
        #expect(Status(reasons).rawValue == number)
        #expect(Status(reasons.reversed()).rawValue == number)
    }

    @Test(
        "an exit status that does not stand for missing results takes precedence over one that does",
        arguments: [
            (Status.incomplete, Status.jobFailed, Status.jobFailed), (.unavailable, .interrupted, .interrupted),
            (.notPermitted, .jobFailed, .notPermitted), (.success, .incomplete, .incomplete),
        ] as [(Status, Status, Status)])
    fileprivate func combined(first: Status, second: Status, both: Status) {
        #expect(first.combined(with: second) == both)
    }

    @Test("a job that failed as a whole has its own exit status, unless its books give a more specific one")
    func failedJob() throws {
        var report = JobReport(job: try #require(JobID("job-12345")))
        report.status = .failed
        #expect(report.exitStatus == .jobFailed)
        report.reasons = [.down]
        #expect(report.exitStatus == .unavailable)
        report.failure = CommandFailure(.notPermitted, "x")
        #expect(report.exitStatus == .notPermitted)
    }
}
