import BookstrackContract
import JSONRPC
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Retries after the end of a job")
struct BackgroundRetryTests {
    private static let hour = Duration.seconds(3_600)

    /// Fails every item that can be claimed until the job has no retries left.
    private func exhaust(_ host: TestHost, _ worker: TestWorker, error: ItemErrorCode = .providerError) throws {
        for attempt in 0..<4 {
            if attempt > 0 { host.advance(by: .seconds(2)) }
            try worker.record(try worker.claim(), error: error)
        }
    }

    @Test(
        "failed items are retried 1, 4 and 24 h after the job's end, and results and token are kept for 1 h after the last round"
    )
    func background() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[1]])
        try worker.release([ItemKey(jobId: job.jobId, index: 0)])
        try exhaust(host, worker)
        let ended = try host.state(token: job.token)
        #expect(ended.status == .completed)
        #expect(ended.failureCount == 1)
        var now = Duration.zero
        for hours in [1, 4, 24] {
            host.advance(by: Self.hour * hours - now - .seconds(1))
            #expect(try worker.claim().isEmpty)
            host.advance(by: .seconds(2))
            now = Self.hour * hours + .seconds(1)
            let items = try worker.claim()
            #expect(items.map(\.workClass) == [.backgroundRetry])
            #expect(try host.state(token: job.token).status == .completed)
            try worker.record(items, error: .providerError)
        }
        host.advance(by: Self.hour - .seconds(10))
        #expect(try host.state(token: job.token).resultsRevision == 1)
        host.advance(by: .seconds(60))
        #expect(throws: HostFailure.self) { try host.state(token: job.token) }
        #expect(try worker.claim().isEmpty)
    }

    @Test("a successful background retry changes the results and their revision, and causes no event")
    func backgroundSuccess() async throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        try exhaust(host, worker)
        #expect(try host.state(token: job.token).status == .failed)
        let lastSeq = try host.state(token: job.token).lastSeq
        host.advance(by: Self.hour)
        try worker.record([try worker.claim()[0]])
        let state = try host.state(token: job.token)
        #expect(state.resultsRevision == 2)
        #expect(state.lastSeq == lastSeq)
        #expect((state.successCount, state.failureCount) == (1, 1))
        #expect(try await host.resultRows().map(\.success) == [true, false])
    }

    @Test("a background retry that fails while the clock is a day ahead does not cost the item its later retries")
    func falseClock() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try exhaust(host, worker)
        host.advance(by: Self.hour)
        let items = try worker.claim()
        host.clock.stepWall(by: Self.hour * 24)
        try worker.record(items, error: .providerError)
        #expect(try host.state(token: job.token).laterRetries?.count == 1)
        host.clock.stepWall(by: Self.hour * -24)
        host.advance(by: Self.hour * 2)
        #expect(try worker.claim().isEmpty)
        host.advance(by: Self.hour)
        #expect(try worker.claim().count == 1)
    }

    @Test("a background retry with a final outcome ends the retries and changes the row")
    func backgroundFinal() async throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try exhaust(host, worker)
        host.advance(by: Self.hour)
        try worker.record(try worker.claim(), error: .notFound)
        #expect(try host.state(token: job.token).resultsRevision == 2)
        #expect(try await host.resultRows().map(\.errorCode) == [.notFound])
        host.advance(by: Self.hour * 22)
        #expect(try worker.claim().isEmpty)
    }

    @Test("retries that change no row leave the revision unchanged")
    func fruitless() throws {
        let host = try TestHost()
        let job = try host.create(books: 100)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), error: .notFound)
        for _ in 0..<10 {
            host.advance(by: .seconds(61))
            #expect(try host.retry(token: job.token).retrying == 100)
            try worker.record(try worker.claim(), error: .notFound)
        }
        #expect(try host.state(token: job.token).resultsRevision == 1)
        host.advance(by: .seconds(61))
        _ = try host.retry(token: job.token)
        let items = try worker.claim()
        try worker.record([items[0]], error: .invalidISBN)
        try worker.record([items[1]])
        #expect(try host.state(token: job.token).resultsRevision == 3)
    }

    @Test(
        "a retry on request retries failed items other than invalid ISBNs immediately, and the planned rounds continue")
    func onRequest() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]], error: .notFound)
        try worker.record([items[1]], error: .invalidISBN)
        try worker.release([items[2].key])
        try exhaust(host, worker)
        host.advance(by: .seconds(600))
        #expect(try host.retry(token: job.token).retrying == 2)
        let again = try worker.claim()
        #expect(Set(again.map(\.key.index)) == [0, 2])
        #expect(again.allSatisfy { $0.workClass == .backgroundRetry })
        try worker.record(again.filter { $0.key.index == 0 }, error: .notFound)
        try worker.record(again.filter { $0.key.index == 2 }, error: .providerError)
        host.advance(by: .seconds(3_600 - 600))
        #expect(try worker.claim().map(\.key.index) == [2])
        #expect(throws: HostFailure.unauthorized) { try host.retry(token: "wrong") }
    }

    @Test("a retry on request is allowed once a minute, and the error states when the next one is allowed")
    func retryPause() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), error: .notFound)
        #expect(try host.retry(token: job.token).retrying == 1)
        host.advance(by: .milliseconds(20_500))
        let failure = #expect(throws: HostFailure.retriedTooOften(seconds: 40)) { try host.retry(token: job.token) }
        #expect(failure?.rpc.detail.code == "RATE_LIMIT_EXCEEDED")
        #expect(failure?.rpc.detail.retryAfterSeconds == 40)
        try host.restart()
        #expect(throws: HostFailure.retriedTooOften(seconds: 40)) { try host.retry(token: job.token) }
        host.advance(by: .milliseconds(39_500))
        #expect(try host.retry(token: job.token).retrying == 1)
    }

    @Test("retrying a running or cancelled job retries nothing")
    func nothingToRetry() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        #expect(try host.retry(token: job.token).retrying == 0)
        _ = try host.cancel(token: job.token)
        #expect(try host.retry(token: job.token) == RetryOutcome(jobId: job.jobId, status: .cancelled, retrying: 0))
    }
}
