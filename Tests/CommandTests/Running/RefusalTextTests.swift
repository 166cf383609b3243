import BookstrackClient
import BookstrackContract
import Foundation
import GRDB
import Testing

@testable import BookstrackCLI

/// The message for users and the exit status for scripts when something fails (deploy/docs/command-line.md
/// "Lists of books").
@Suite("Error messages and exit statuses")
struct RefusalTextTests {
    struct Refusal: Sendable {
        let code: APIErrorCode?
        let status: Int
        let exit: BookstrackCLI.ExitStatus
        let message: String

        init(_ code: APIErrorCode?, _ status: Int, _ exit: BookstrackCLI.ExitStatus, _ message: String) {
            (self.code, self.status, self.exit, self.message) = (code, status, exit, message)
        }
    }

    private static let refusals = [
        Refusal(.invalidISBN, 400, .badInput, "m (INVALID_ISBN)"),
        Refusal(.invalidQuery, 400, .badInput, "m (INVALID_QUERY)"),
        Refusal(.invalidRequest, 400, .unexpectedAnswer, "m (INVALID_REQUEST)"),
        Refusal(
            .batchTooLarge, 400, .unexpectedAnswer,
            "m (BATCH_TOO_LARGE); use a smaller --batch-size, or raise BOOKSTRACK_MAX_BATCH_BOOKS"),
        Refusal(
            .unauthorized, 401, .notPermitted, "the token was refused, or there is no such job: m (UNAUTHORIZED)"),
        Refusal(
            .tokenExpired, 401, .notPermitted, "the token was refused, or there is no such job: m (TOKEN_EXPIRED)"),
        Refusal(.forbidden, 403, .unexpectedAnswer, "m (FORBIDDEN)"),
        Refusal(.notFound, 404, .unexpectedAnswer, "m (NOT_FOUND)"),
        Refusal(.jobExists, 409, .unexpectedAnswer, "m (JOB_EXISTS)"),
        Refusal(.fileTooLarge, 413, .unexpectedAnswer, "m (FILE_TOO_LARGE)"),
        Refusal(.rateLimitExceeded, 429, .limited, "m (RATE_LIMIT_EXCEEDED)"),
        Refusal(.tooManyConnections, 429, .limited, "m (TOO_MANY_CONNECTIONS)"),
        Refusal(.internalError, 500, .unexpectedAnswer, "m (INTERNAL_ERROR)"),
        Refusal(
            .providerError, 502, .unavailable,
            "m (PROVIDER_ERROR); check the providers with: bookstrack health enrichment-worker"),
        Refusal(
            .providerTimeout, 504, .unavailable,
            "m (PROVIDER_TIMEOUT); check the providers with: bookstrack health enrichment-worker"),
        Refusal(
            .quotaExhausted, 503, .limited,
            "m (QUOTA_EXHAUSTED); wait, or raise the Google Books quota with BOOKSTRACK_GOOGLE_BOOKS_API_KEY"),
        Refusal(.serviceUnavailable, 503, .tryLater, "m (SERVICE_UNAVAILABLE)"),
        Refusal(.scannerUnavailable, 503, .tryLater, "m (SCANNER_UNAVAILABLE)"),
        Refusal(nil, 429, .limited, "the server refused the request (status 429)"),
        Refusal(nil, 502, .unavailable, "the server refused the request (status 502)"),
        Refusal(nil, 503, .tryLater, "the server refused the request (status 503)"),
        Refusal(nil, 500, .unexpectedAnswer, "the server refused the request (status 500)"),
        Refusal(
            nil, 401, .notPermitted,
            "the token was refused, or there is no such job: the server refused the request (status 401)"),
    ]

    @Test("each API error has a defined exit status and message", arguments: refusals)
    func api(refusal: Refusal) {
        let failure = CommandFailure(BookstrackError.refusal(status: refusal.status, code: refusal.code))
        #expect(failure.status == refusal.exit)
        #expect(failure.message == refusal.message)
    }

    @Test("the message states how long to wait")
    func wait() {
        let refusal = BookstrackError.refusal(
            status: 429, code: .rateLimitExceeded, message: "m", retryAfterSeconds: 42)
        #expect(CommandFailure(refusal).message == "m (RATE_LIMIT_EXCEEDED); try again in 42 s")
    }

    @Test(
        "each connection failure has a defined exit status and message",
        arguments: [
            (TransportFailure.timedOut, BookstrackCLI.ExitStatus.unavailable, "the request timed out"),
            (.lost("the connection was lost"), .unavailable, "the connection was lost"),
            (.malformed("no JSON"), .unexpectedAnswer, "unexpected response: no JSON"),
            (.cancelled, .interrupted, "cancelled"),
            (
                .unreachable("nothing answers at http://h:1 (connection refused)"), .unavailable,
                "nothing answers at http://h:1 (connection refused); start the services with deploy/quickstart --keep or docker compose up"
            ),
        ] as [(TransportFailure, BookstrackCLI.ExitStatus, String)])
    func connection(failure: TransportFailure, status: BookstrackCLI.ExitStatus, message: String) {
        #expect(CommandFailure(BookstrackError.failure(failure)) == CommandFailure(status, message))
    }

    @Test(
        "each file failure has a defined exit status and message",
        arguments: [
            (
                ENOSPC, BookstrackCLI.ExitStatus.cannotWrite,
                "x: No space left on device; free up disk space and try again"
            ),
            (EDQUOT, .cannotWrite, "x: Disk quota exceeded; free up disk space and try again"),
            (EEXIST, .cannotWrite, "x: File exists; existing files are not overwritten, so choose another path"),
            (EACCES, .notPermitted, "x: Permission denied; run the command as the user that owns the files"),
            (EROFS, .notPermitted, "x: Read-only file system; run the command as the user that owns the files"),
            (ENOENT, .noInput, "x: No such file or directory"), (EIO, .cannotWrite, "x: Input/output error"),
        ])
    func files(code: Int32, status: BookstrackCLI.ExitStatus, message: String) {
        #expect(CommandFailure(errno: code, "x") == CommandFailure(status, message))
    }

    @Test(
        "each database failure names the file",
        arguments: [
            (
                ResultCode.SQLITE_FULL, BookstrackCLI.ExitStatus.cannotWrite,
                "the disk is full at /d; free up disk space and try again"
            ),
            (.SQLITE_IOERR, .cannotWrite, "the disk reports an I/O error at /d"),
            (.SQLITE_CANTOPEN, .notPermitted, "/d cannot be opened; run the command as the user that owns it (m)"),
            (.SQLITE_READONLY, .notPermitted, "/d cannot be opened; run the command as the user that owns it (m)"),
            (.SQLITE_CORRUPT, .badInput, "/d is damaged: m"), (.SQLITE_NOTADB, .badInput, "/d is not a database: m"),
            (.SQLITE_BUSY, .tryLater, "/d is locked by another process"),
            (.SQLITE_LOCKED, .tryLater, "/d is locked by another process"),
            (.SQLITE_CONSTRAINT, .unexpectedAnswer, "/d: m"),
        ] as [(ResultCode, BookstrackCLI.ExitStatus, String)])
    func databases(code: ResultCode, status: BookstrackCLI.ExitStatus, message: String) {
        #expect(
            CommandFailure(DatabaseError(resultCode: code, message: "m"), at: "/d") == CommandFailure(status, message))
    }

    @Test(
        "a book with no result has one of six reasons, three of which are temporary",
        arguments: [
            (ItemErrorCode.notFound, "not found", BookstrackCLI.ExitStatus.incomplete, false),
            (.invalidISBN, "invalid", .badInput, false),
            (.quotaExhausted, "limited", .limited, true), (.providerError, "down", .unavailable, true),
            (.providerTimeout, "down", .unavailable, true), (.deadlineExceeded, "busy", .tryLater, true),
            (.cancelled, "cancelled", .cancelled, false),
        ])
    func reasons(code: ItemErrorCode, word: String, status: BookstrackCLI.ExitStatus, passes: Bool) {
        let reason = FailureReason(code)
        #expect(reason.word == word)
        #expect(BookstrackCLI.ExitStatus(reason) == status)
        #expect(reason.isPassing == passes)
    }

    @Test("if there are several reasons, the first one in the documented order determines the exit status")
    func order() {
        var reasons: [FailureReason] = [.cancelled, .down, .limited, .busy, .notFound, .invalid]
        var statuses: [Int32] = []
        while !reasons.isEmpty {
            statuses.append(BookstrackCLI.ExitStatus(reasons.reversed()).rawValue)
            reasons.removeFirst()
        }
        #expect(statuses == [4, 69, 3, 75, 1, 65])
        #expect(BookstrackCLI.ExitStatus([]) == .success)
    }

    @Test("a failure's message can name a job and include further details")
    func additions() throws {
        let failure = CommandFailure(.limited, "m").about(try #require(JobID("job-under-test")))
        #expect(failure == CommandFailure(.limited, "job job-under-test: m"))
        #expect(CommandFailure(.limited, "m").adding("and n") == CommandFailure(.limited, "m; and n"))
    }

    @Test("exit statuses have fixed numbers, taken from sysexits.h and shell conventions where possible")
    func statuses() {
        #expect(
            BookstrackCLI.ExitStatus.allCases.map(\.rawValue) == [
                0, 1, 2, 3, 4, 64, 65, 66, 69, 73, 75, 76, 77, 78, 130,
            ])
    }
}
