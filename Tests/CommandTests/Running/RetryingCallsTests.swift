import BookstrackClient
import BookstrackContract
import NIOConcurrencyHelpers
import Testing

@testable import BookstrackCLI

/// Calls that fail as scripted, with pauses that are only recorded.
@Suite("Repeated calls")
struct RetryingCallsTests {
    private struct Outcome {
        var answer: Result<String, any Error>
        var calls: Int
        var pauses: [Duration]
    }

    private func run(_ failures: [any Error]) async -> Outcome {
        let pauses = NIOLockedValueBox<[Duration]>([])
        var calls = RetryingCalls()
        calls.pause = { duration in pauses.withLockedValue { $0.append(duration) } }
        var count = 0
        do {
            let answer = try await calls.make(.json) { () async throws -> String in
                defer { count += 1 }
                guard count < failures.count else { return "answer" }
                throw failures[count]
            }
            return Outcome(answer: .success(answer), calls: count, pauses: pauses.withLockedValue { $0 })
        } catch {
            return Outcome(answer: .failure(error), calls: count, pauses: pauses.withLockedValue { $0 })
        }
    }

    private func busy(_ seconds: Int?, code: APIErrorCode = .serviceUnavailable) -> BookstrackError {
        .refusal(status: code.status, code: code, message: "No", retryAfterSeconds: seconds)
    }

    @Test("a successful call returns its result and does not pause")
    func atOnce() async throws {
        let outcome = await run([])
        #expect(try outcome.answer.get() == "answer")
        #expect(outcome.calls == 1)
        #expect(outcome.pauses.isEmpty)
    }

    @Test("the client pauses for as long as the server requests, and for at least a second")
    func pauses() async throws {
        let outcome = await run([busy(7), busy(0), busy(30, code: .rateLimitExceeded)])
        #expect(try outcome.answer.get() == "answer")
        #expect(outcome.pauses == [.seconds(7), .seconds(1), .seconds(30)])
    }

    @Test(
        "the command gives up instead of waiting for more than two minutes in total",
        arguments: [
            ([60, 60], 2), ([60, 61], 1), ([121], 0), ([100, 10, 10, 10], 3),
        ])
    func limit(seconds: [Int], pauses: Int) async {
        let outcome = await run(seconds.map { busy($0) })
        #expect(outcome.pauses.count == pauses)
        #expect((outcome.calls == seconds.count + 1) == (pauses == seconds.count))
    }

    @Test(
        "an error with no retry time is final, and so is an unavailable scanner",
        arguments: [
            (nil, APIErrorCode.serviceUnavailable), (30, .scannerUnavailable), (nil, .notFound),
        ] as [(Int?, APIErrorCode)])
    func final(seconds: Int?, code: APIErrorCode) async {
        let outcome = await run([busy(seconds, code: code)])
        #expect(outcome.calls == 1)
        #expect(outcome.pauses.isEmpty)
        #expect(throws: BookstrackError.self) { try outcome.answer.get() }
    }

    @Test(
        "a call whose response was lost or timed out is repeated up to twice, each time after a second",
        arguments: [
            ([TransportFailure.lost("x")], 2, true), ([.timedOut, .lost("x")], 3, true),
            ([.lost("x"), .lost("x"), .lost("x")], 3, false),
        ])
    func lost(failures: [TransportFailure], calls: Int, isAnswered: Bool) async {
        let outcome = await run(failures.map { BookstrackError($0) })
        #expect(outcome.calls == calls)
        #expect(outcome.pauses == Array(repeating: .seconds(1), count: calls - 1))
        #expect(((try? outcome.answer.get()) != nil) == isAnswered)
    }

    @Test(
        "a connection failure other than a lost response or a timeout is not retried",
        arguments: [
            TransportFailure.unreachable("refused"), .malformed("x"), .cancelled, .untrusted("x"),
        ])
    func unreachable(failure: TransportFailure) async {
        let outcome = await run([BookstrackError(failure)])
        #expect(outcome.calls == 1)
        #expect(!BookstrackError(failure).mayHaveArrived)
    }

    @Test(
        "a notice describes the obstacle and what happens next",
        arguments: [
            (
                APIErrorCode.rateLimitExceeded, ["limit": DetailValue.integer(5), "window": "1 minute"],
                "Limited: at most 5 requests per minute; trying again in 9 s."
            ),
            (.serviceUnavailable, ["service": "progress-host"], "progress-host is down; trying again for up to 100 s."),
            (
                .serviceUnavailable, ["service": "progress-host", "reason": "the disk is full"],
                "progress-host cannot process the request: the disk is full; trying again for up to 100 s."
            ),
            (.serviceUnavailable, [:], "The server is busy; trying again for up to 100 s."),
        ])
    func notices(code: APIErrorCode, details: [String: DetailValue], text: String) {
        let refusal = BookstrackError.refusal(
            status: code.status, code: code,
            message: "progress-host cannot process the request: the disk is full", details: details)
        #expect(RetryingCalls.notice(refusal, seconds: 9, rest: 100) == text)
    }
}
