import Foundation
import ProviderClient
import Testing
import Transfer

@Suite("Retries")
struct RetryTests {
    let start = MonotonicInstant(sinceStart: .seconds(50))

    func sequence(random: Double = 0.5, deadline: Duration = .seconds(60)) -> RetrySequence {
        RetrySequence(policy: CallRetryPolicy(random: { random }), deadline: start.advanced(by: deadline))
    }

    @Test("the pause is a random part of a doubling interval, with at most two retries")
    func jitter() {
        var retries = sequence()
        #expect(
            retries.failed(.timeout, retryAfter: nil, now: start)
                == .retry(at: start.advanced(by: .milliseconds(250))))
        #expect(
            retries.failed(.connection(.broken), retryAfter: nil, now: start)
                == .retry(at: start.advanced(by: .milliseconds(500))))
        #expect(retries.failed(.timeout, retryAfter: nil, now: start) == .giveUp)
        #expect(retries.retries == 2)
    }

    @Test("full jitter can result in no pause at all")
    func noPause() {
        var retries = sequence(random: 0)
        #expect(retries.failed(.timeout, retryAfter: nil, now: start) == .retry(at: start))
    }

    @Test(
        "timeouts, connection failures, 429 and 5xx are retried",
        arguments: [
            .timeout, .connection(.name), .connection(.tls), .rateLimited(retryAfter: nil), .httpStatus(500),
            .httpStatus(503),
        ]
            as [ProviderFailure])
    func repeated(failure: ProviderFailure) {
        var retries = sequence()
        #expect(retries.failed(failure, retryAfter: nil, now: start) != .giveUp)
    }

    @Test(
        "failures other than timeouts, connection failures, 429 and 5xx are not retried",
        arguments: [
            .httpStatus(400), .httpStatus(403), .quotaExhausted(retryAfter: nil), .busy, .tooLarge, .malformed,
            .cancelled, .breakerOpen(retryAfter: .zero, cause: .failures), .redirectRefused(.tooMany),
        ] as [ProviderFailure])
    func final(failure: ProviderFailure) {
        var retries = sequence()
        #expect(retries.failed(failure, retryAfter: nil, now: start) == .giveUp)
    }

    @Test("a Retry-After is respected, and one beyond the deadline ends the call immediately")
    func retryAfter() {
        var retries = sequence(deadline: .seconds(9))
        let limited = ProviderFailure.rateLimited(retryAfter: .seconds(3))
        #expect(
            retries.failed(limited, retryAfter: .seconds(3), now: start) == .retry(at: start.advanced(by: .seconds(3))))
        #expect(retries.failed(limited, retryAfter: .seconds(9), now: start) == .giveUp)
        #expect(retries.retries == 1)
    }

    static let date = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    @Test(
        "Retry-After is parsed as seconds or as an HTTP date in any of its three formats, and other text is ignored",
        arguments: [
            ("120", Duration.seconds(120)), (" 0 ", .zero), ("99999999999999999999", .seconds(Int32.max)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
            ("Sun Nov  6 08:50:37 1994", .seconds(60)), ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
            ("", nil), ("soon", nil), ("-5", nil), ("1.5", nil), ("06 Nov 1994", nil),
        ] as [(String, Duration?)])
    func headerForms(value: String, delay: Duration?) {
        #expect(RetryAfter.delay(value, at: Self.date) == delay)
    }
}
