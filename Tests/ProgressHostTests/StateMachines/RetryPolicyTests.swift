import Testing

@testable import ProgressHost

@Suite("Retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy()

    @Test("a retryable item is tried again within 0.5, 1 and 2 s, then given up")
    func withinJob() {
        let waits = (0..<4).map { policy.afterFailure(attempts: $0, retryable: true, jitter: 1) }
        #expect(
            waits == [
                .retry(after: .milliseconds(500)), .retry(after: .seconds(1)), .retry(after: .seconds(2)), .giveUp,
            ])
    }

    @Test("jitter is full: from nothing to the whole wait", arguments: [0.0, 0.25, 0.999])
    func jitter(drawn: Double) {
        #expect(policy.afterFailure(attempts: 2, retryable: true, jitter: drawn) == .retry(after: .seconds(2) * drawn))
    }

    @Test("what cannot succeed on another try is given up at once")
    func notRetryable() {
        #expect(policy.afterFailure(attempts: 0, retryable: false, jitter: 0.5) == .giveUp)
    }

    @Test("background rounds are 1, 4 and 24 h after the end, whatever was tried between")
    func background() {
        let hour: Int64 = 3_600_000
        func next(_ now: Int64) -> Int64? { policy.nextBackground(after: now, endedAt: 0)?.due }
        #expect(next(0) == hour)
        #expect(next(hour - 1) == hour)
        #expect(next(hour) == 4 * hour)
        #expect(next(5 * hour) == 24 * hour)
        #expect(next(24 * hour) == nil)
    }
}
