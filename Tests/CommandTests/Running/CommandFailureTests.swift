import BookstrackClient
import BookstrackContract
import ServiceKit
import Testing

@testable import BookstrackCLI

@Suite("Failures shown to users")
struct CommandFailureTests {
    @Test(
        "each failure has a defined exit status",
        arguments: [
            (BookstrackError.failure(.unreachable("a")), 69), (BookstrackError.failure(.timedOut), 69),
            (BookstrackError.failure(.malformed("x")), 76), (BookstrackError.refusal(status: 401, code: nil), 77),
            (BookstrackError.refusal(status: 503, code: nil), 75), (BookstrackError.failure(.untrusted("x")), 76),
            (BookstrackError(.unauthorized, "x"), 77), (BookstrackError(.tokenMissing, "x"), 77),
            (BookstrackError(.notFound, "x"), 66), (BookstrackError(.unexpectedAnswer, "x"), 76),
            (CancellationError(), 130),
            (BookstrackError.refusal(status: 429, code: .rateLimitExceeded, message: "slow down"), 3),
            (
                BookstrackError.refusal(
                    status: 503, code: .serviceUnavailable, message: "x", details: ["service": "progress-host"]), 69
            ),
            (BookstrackError.refusal(status: 502, code: .providerError, message: "x"), 69),
            (BookstrackError.refusal(status: 503, code: .quotaExhausted, message: "x"), 3),
            (BookstrackError.refusal(status: 400, code: .invalidISBN, message: "x"), 65),
            (BookstrackError.refusal(status: 400, code: .batchTooLarge, message: "too many"), 76),
            (SettingsError.contradiction("x"), 78), (SettingsError.unknownOption("--x"), 64),
            (CommandFailure(.badInput, "x"), 65),
        ] as [(any Error, Int32)])
    func statuses(error: any Error, status: Int32) {
        #expect(CommandFailure(error).status.rawValue == status)
    }

    @Test("if the server does not respond, the message explains how to start the services")
    func hint() {
        let message = CommandFailure(
            BookstrackError.failure(.unreachable("nothing answers at http://h:1 (connection refused)"))
        )
        .message
        #expect(message.hasPrefix("nothing answers at http://h:1 (connection refused); start the services"))
        #expect(message.contains("deploy/quickstart --keep"))
    }

    @Test("the message about a batch that is too large names the --batch-size option")
    func batch() {
        let refusal = BookstrackError.refusal(status: 400, code: .batchTooLarge, message: "At most 5 books")
        #expect(CommandFailure(refusal).message.contains("--batch-size"))
    }

    @Test(
        "each obstacle to a call has its own message, and the message about a service that is down names it",
        arguments: [
            (
                BookstrackError.refusal(
                    status: 503, code: .serviceUnavailable, message: "x", details: ["service": "progress-host"]),
                "progress-host is down; trying again for up to 60 s."
            ),
            (
                BookstrackError.refusal(
                    status: 429, code: .rateLimitExceeded, message: "x", details: ["limit": 10, "window": "1 minute"]),
                "Limited: at most 10 requests per minute; trying again in 42 s."
            ),
            (
                BookstrackError.refusal(status: 503, code: .serviceUnavailable, message: "x"),
                "The server is busy; trying again for up to 60 s."
            ),
        ])
    func obstacles(refusal: BookstrackError, notice: String) {
        #expect(RetryingCalls.notice(refusal, seconds: 42, rest: 60) == notice)
    }

    @Test(
        "each of the six reasons has its own exit status, and of several reasons, the most important one determines it",
        arguments: [
            ([], 0), ([.notFound], 1), ([.limited], 3), ([.cancelled], 4), ([.invalid], 65), ([.down], 69),
            ([.busy], 75), ([.notFound, .invalid], 1), ([.notFound, .limited], 3), ([.limited, .down, .notFound], 69),
        ] as [([FailureReason], Int32)])
    func reasons(reasons: [FailureReason], status: Int32) {
        #expect(ExitStatus(reasons).rawValue == status)
    }

    @Test("help lists every exit status and every reason for a failure")
    func help() throws {
        let help = HelpText(command: try CommandDescription.suite(), style: OutputStyle(width: 80, colours: false)).full
        for status in ExitStatus.allCases { #expect(help.contains(" \(status.rawValue)  ")) }
        for reason in FailureReason.allCases { #expect(help.contains("  \(reason.word): ")) }
    }
}
