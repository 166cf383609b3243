import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Retries within a job")
struct RetryTests {
    @Test("a retryable failure is retried three times, within 0.5, 1 and 2 s, and is then final")
    func withinTheJob() throws {
        let host = try TestHost(jitter: 0.999)
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        var items = try worker.claim()
        try worker.record([items[1]])
        for wait in [500, 1_000, 2_000] {
            try worker.record([items[0]], error: .providerTimeout)
            #expect(try host.state(token: job.token).processedCount == 1)
            host.advance(by: .milliseconds(wait * 9 / 10))
            #expect(try worker.claim().isEmpty)
            host.advance(by: .milliseconds(wait / 10))
            items = try worker.claim()
            #expect(items.map(\.key.index) == [0])
        }
        #expect(items[0].attempts == 3)
        try worker.record(items, error: .providerTimeout)
        let state = try host.state(token: job.token)
        #expect(state.status == .completed)
        #expect(state.failureCount == 1)
    }

    @Test("a failure reported again, or by a worker that has lost the item, uses up no attempt and ends no lease")
    func staleFailure() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let first = try TestWorker(host), second = try TestWorker(host)
        let items = try first.claim()
        for _ in 0..<5 { try first.record(items, error: .providerError) }
        host.advance(by: .seconds(1))
        let again = try second.claim()
        #expect(again.map(\.attempts) == [1])
        for error in [ItemErrorCode.providerError, .notFound] { try first.record(items, error: error) }
        #expect(host.leasedItems(ofJob: 1) == 1)
        #expect(try host.state(token: job.token).processedCount == 0)
        try first.record(items)
        #expect(try host.state(token: job.token).successCount == 1)
    }

    @Test("a final outcome is not retried", arguments: [ItemErrorCode.notFound, .invalidISBN])
    func final(error: ItemErrorCode) throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), error: error)
        #expect(try host.state(token: job.token).status == .completed)
        host.advance(by: .seconds(26 * 3_600))
        #expect(try worker.claim().isEmpty)
    }
}

@Suite("Retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy()

    @Test("a retryable item is retried within 0.5, 1 and 2 s, and then given up")
    func withinJob() {
        let waits = (0..<4).map { policy.afterFailure(attempts: $0, retryable: true, jitter: 1) }
        #expect(
            waits == [
                .retry(after: .milliseconds(500)), .retry(after: .seconds(1)), .retry(after: .seconds(2)), .giveUp,
            ])
    }

    @Test("with full jitter, a wait is anything from zero to the whole interval", arguments: [0.0, 0.25, 0.999])
    func jitter(drawn: Double) {
        #expect(policy.afterFailure(attempts: 2, retryable: true, jitter: drawn) == .retry(after: .seconds(2) * drawn))
    }

    @Test("an item that is not retryable is given up immediately")
    func notRetryable() {
        #expect(policy.afterFailure(attempts: 0, retryable: false, jitter: 0.5) == .giveUp)
    }

    @Test("background rounds start 1, 4 and 24 h after the job's end, whatever retries there were in between")
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
