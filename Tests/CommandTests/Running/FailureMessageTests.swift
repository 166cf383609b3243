import ArgumentParser
import BookstrackClient
import BookstrackContract
import GRDB
import Glibc
import ServiceKit
import Testing

@testable import BookstrackCLI

/// The message that a user reads when something fails, and the exit status.
@Suite("Failure messages")
struct FailureMessageTests {
    private func refusal(
        _ status: Int, _ code: APIErrorCode?, _ message: String = "No", retryAfter: Int? = nil,
        details: [String: DetailValue] = [:]
    ) -> CommandFailure {
        CommandFailure(
            BookstrackError.refusal(
                status: status, code: code, message: message, details: details, retryAfterSeconds: retryAfter))
    }

    @Test(
        "an error response is explained with its reason and advice",
        arguments: [
            (APIErrorCode.quotaExhausted, 503, 60, 3, "No (QUOTA_EXHAUSTED); try again in 60 s; \(QuotaHint.text)"),
            (
                .providerError, 502, nil, 69,
                "No (PROVIDER_ERROR); check the providers with: bookstrack health enrichment-worker"
            ),
            (
                .providerTimeout, 504, 5, 69,
                "No (PROVIDER_TIMEOUT); try again in 5 s; check the providers with: bookstrack health enrichment-worker"
            ),
            (
                .batchTooLarge, 400, nil, 76,
                "No (BATCH_TOO_LARGE); use a smaller --batch-size, or raise BOOKSTRACK_MAX_BATCH_BOOKS"
            ),
            (.invalidISBN, 400, nil, 65, "No (INVALID_ISBN)"), (.invalidQuery, 400, nil, 65, "No (INVALID_QUERY)"),
            (.rateLimitExceeded, 429, 42, 3, "No (RATE_LIMIT_EXCEEDED); try again in 42 s"),
            (.tooManyConnections, 429, 30, 3, "No (TOO_MANY_CONNECTIONS); try again in 30 s"),
            (.serviceUnavailable, 503, 2, 75, "No (SERVICE_UNAVAILABLE); try again in 2 s"),
            (.unauthorized, 401, nil, 77, "the token was refused, or there is no such job: No (UNAUTHORIZED)"),
            (.tokenExpired, 401, nil, 77, "the token was refused, or there is no such job: No (TOKEN_EXPIRED)"),
            (.forbidden, 403, nil, 76, "No (FORBIDDEN)"), (.internalError, 500, nil, 76, "No (INTERNAL_ERROR)"),
            (nil, 500, nil, 76, "the server refused the request (status 500)"),
            (nil, 502, nil, 69, "the server refused the request (status 502)"),
        ] as [(APIErrorCode?, Int, Int?, Int32, String)])
    func refusals(code: APIErrorCode?, status: Int, retryAfter: Int?, exit: Int32, message: String) {
        let failure = refusal(status, code, retryAfter: retryAfter)
        #expect(failure.status.rawValue == exit)
        #expect(failure.message == message)
    }

    @Test("a service reported as down is shown as down, not as busy")
    func down() {
        let failure = refusal(503, .serviceUnavailable, details: ["service": "progress-host"])
        #expect(failure.status == .unavailable)
    }

    @Test(
        "each kind of connection failure has its own message",
        arguments: [
            (TransportFailure.timedOut, 69, "the request timed out"),
            (
                .lost("the server closed the connection before its response was complete"), 69,
                "the server closed the connection before its response was complete"
            ),
            (.malformed("no status line"), 76, "unexpected response: no status line"), (.cancelled, 130, "cancelled"),
            (
                .untrusted("the certificate of https://h is for another name"), 76,
                "the certificate of https://h is for another name; if you trust its certificate authority, set SSL_CERT_FILE to the authority's certificate file"
            ),
        ] as [(TransportFailure, Int32, String)])
    func connections(failure: TransportFailure, exit: Int32, message: String) {
        #expect(CommandFailure(BookstrackError.failure(failure)).status.rawValue == exit)
        #expect(CommandFailure(BookstrackError.failure(failure)).message == message)
    }

    @Test(
        "the message for a failed system call contains what failed, the reason and any advice",
        arguments: [
            (ENOSPC, 73, "writing x: No space left on device; free up disk space and try again"),
            (EDQUOT, 73, "writing x: Disk quota exceeded; free up disk space and try again"),
            (EEXIST, 73, "writing x: File exists; existing files are not overwritten, so choose another path"),
            (EACCES, 77, "writing x: Permission denied; run the command as the user that owns the files"),
            (EROFS, 77, "writing x: Read-only file system; run the command as the user that owns the files"),
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
            (.SQLITE_ERROR, 76, "/d: why"),
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

/// The command line's statuses, as opposed to those of the testing library.
fileprivate typealias Status = BookstrackCLI.ExitStatus

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

    @Test(
        "each reason why a book has no result has the documented exit status",
        arguments: [
            (FailureReason.notFound, 1), (.invalid, 65), (.limited, 3), (.down, 69), (.busy, 75), (.cancelled, 4),
        ] as [(FailureReason, Int32)])
    func reasons(reason: FailureReason, number: Int32) {
        #expect(Status(reason).rawValue == number)
    }

    @Test(
        "if there are several reasons, the first one in the documented order determines the exit status",
        arguments: [
            ([FailureReason.invalid, .notFound], 1), ([.notFound, .busy], 75), ([.busy, .limited], 3),
            ([.limited, .down], 69),
            ([.down, .cancelled], 4), ([.invalid, .notFound, .busy, .limited, .down, .cancelled], 4), ([], 0),
        ] as [([FailureReason], Int32)])
    func order(reasons: [FailureReason], number: Int32) {
        #expect(Status(reasons).rawValue == number)
        #expect(Status(reasons.reversed()).rawValue == number)
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
