import BookstrackContract
import GRDB
import JSONRPC
import SuiteMethods
import Testing
@testable import ProgressHost

@Suite("Retries and follow-ups")
struct RetryTests {
    private static let hour = Duration.seconds(3_600)

    /// Fails every item that can be claimed until the job has no retries left.
    private func exhaust(_ host: TestHost, _ worker: TestWorker, error: ItemErrorCode = .providerError) throws {
        for attempt in 0..<4 {
            if attempt > 0 { host.advance(by: .seconds(2)) }
            try worker.record(try worker.claim(), error: error)
        }
    }

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

    @Test("a follow-up raises the revision only if the job has ended")
    func followUp() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]], followUp: .soon)
        let early = try worker.claim()
        #expect(early.map(\.workClass) == [.followUp])
        try worker.record(early)
        #expect(try host.state(token: job.token).resultsRevision == 0)
        try worker.record([items[1]], followUp: .soon)
        #expect(try host.state(token: job.token).resultsRevision == 1)
        let late = try worker.claim()
        #expect(late.map(\.key.index) == [1])
        try worker.record(late)
        #expect(try host.state(token: job.token).resultsRevision == 2)
        #expect(try worker.claim().isEmpty)
    }

    @Test(
        "a follow-up that made progress and requests another is repeated immediately, and other follow-ups wait for their round"
    )
    func stepwiseFollowUp() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), followUp: .later)
        try worker.record(try worker.claim(), followUp: .soon)
        let second = try worker.claim()
        #expect(second.map(\.workClass) == [.followUp])
        try worker.record(second, followUp: .later)
        #expect(try host.state(token: job.token).resultsRevision == 3)
        #expect(try worker.claim().isEmpty)
        host.advance(by: Self.hour)
        #expect(try worker.claim().map(\.workClass) == [.followUp])
    }

    @Test("a follow-up that keeps requesting an immediate repetition must wait for its round after a few steps")
    func endlessFollowUp() throws {
        var policy = HostPolicy()
        policy.followUpSteps = 3
        let host = try TestHost(policy)
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), followUp: .soon)
        for _ in 0..<4 { try worker.record(try worker.claim(), followUp: .soon) }
        #expect(try worker.claim().isEmpty)
        host.advance(by: Self.hour)
        #expect(try worker.claim().count == 1)
    }

    @Test(
        "a follow-up does not replace a result with a less complete one, unless only the new match is verified",
        arguments: [(ReviewStatus.verified, 55, 1), (.needsReview, 55, 2), (.verified, 100, 2)])
    func poorerFollowUp(first: ReviewStatus, quality: Int, revision: Int) async throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        var measure = ResultMeasure()
        (measure.isFound, measure.quality) = (true, 100)
        try worker.record(try worker.claim(), followUp: .soon, measure: measure, reviewStatus: first)
        measure.quality = quality
        try worker.record(try worker.claim(), measure: measure)
        #expect(try host.state(token: job.token).resultsRevision == revision)
        let row = try #require(try await host.resultRows().first)
        #expect(row.enriched?.work.subjectTags.isEmpty == (revision == 1))
        let stored = try await host.pool.read { try Int.fetchOne($0, sql: "SELECT measure FROM item") }
        #expect(stored.map(ResultMeasure.init)?.quality == (revision == 1 ? 100 : quality))
    }

    @Test("a failed follow-up leaves the result unchanged")
    func failedFollowUp() async throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), followUp: .soon)
        try worker.record(try worker.claim(), error: .notFound)
        #expect(try host.state(token: job.token).successCount == 1)
        #expect(try await host.resultRows().map(\.success) == [true])
        #expect(try worker.claim().isEmpty)
    }

    @Test("one job's follow-ups do not delay another's, and respect the per-job limit")
    func laterFairness() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        for name in ["first-job", "second-job"] { try host.create(JobID(name)!, books: 60) }
        try worker.record(try worker.claim(), followUp: .soon)
        let items = try worker.claim(limit: 30, perJob: 10)
        #expect(items.count == 20)
        #expect(items.filter { $0.key.jobId.text == "second-job" }.count == 10)
        #expect(try worker.claim(limit: 30, perJob: 10).isEmpty)
        try worker.record(items)
        host.advance(by: .seconds(1))
        #expect(try worker.claim(limit: 30, perJob: 10).count == 20)
    }

    @Test("a job with thousands of due items does not block the due items of other jobs")
    func laterFairnessAtScale() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        try host.create(JobID("large-job")!, books: 1_500)
        while case let items = try worker.claim(), !items.isEmpty, items[0].workClass == .bulk {
            try worker.record(items.filter { $0.workClass == .bulk }, followUp: .soon)
        }
        host.advance(by: .seconds(121))
        for name in ["small-job-1", "small-job-2"] {
            try host.create(JobID(name)!, books: 2)
            try worker.record(try worker.claim(limit: 2), followUp: .soon)
        }
        let items = try worker.claim(limit: 30, perJob: 10)
        #expect(Set(items.map(\.key.jobId.text)) == ["large-job", "small-job-1", "small-job-2"])
        #expect(items.filter { $0.key.jobId.text == "large-job" }.count == 10)
    }

    @Test("follow-ups are handed out before background retries")
    func followUpsFirst() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let failed = try host.create(JobID("failed-job")!, books: 3)
        try worker.record(try worker.claim(), error: .notFound)
        #expect(try host.retry(failed.jobId, token: failed.token).retrying == 3)
        host.advance(by: .seconds(1))
        try host.create(JobID("found-job")!, books: 2)
        try worker.record(try worker.claim(limit: 2), followUp: .soon)
        #expect(
            try worker.claim(limit: 3).map(\.workClass) == [.followUp, .followUp, .backgroundRetry])
    }

    @Test("jobs take turns even if there are more of them than a claim has room for")
    func manyLaterJobs() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        for number in 0..<30 { try host.create(JobID("job-number-\(number)")!, books: 100) }
        while case let items = try worker.claim(), !items.isEmpty, items[0].workClass == .bulk {
            try worker.record(items.filter { $0.workClass == .bulk }, followUp: .soon)
        }
        host.advance(by: .seconds(121))
        let jobs = try (0..<3).flatMap { _ in try worker.claim(limit: 10, perJob: 100).map(\.key.jobId) }
        #expect(Set(jobs).count == 30)
    }

    @Test("a worker that reconnects keeps the follow-ups and retries that it holds, and their outcomes count")
    func reattached() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        var worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]], followUp: .soon)
        try worker.record([items[1]], error: .notFound)
        #expect(try host.retry(token: job.token).retrying == 1)
        let later = try worker.claim()
        #expect(Set(later.map(\.workClass)) == [.followUp, .backgroundRetry])
        try host.restart()
        worker = try TestWorker(host)
        #expect(try worker.attach(holding: later.map(\.key)).isEmpty)
        #expect(try TestWorker(host).attach(holding: later.map(\.key)).count == 2)
        host.advance(by: .seconds(119))
        #expect(try worker.claim().isEmpty)
        try worker.record(later)
        let state = try host.state(token: job.token)
        #expect(state.resultsRevision == 3)
        #expect(state.successCount == 2)
        #expect(try worker.attach(holding: later.map(\.key)).count == 2)
    }

    @Test("a follow-up that was leased before a restart is handed out again when its lease would have ended")
    func lostFollowUp() throws {
        let host = try TestHost()
        try host.create(books: 1)
        var worker = try TestWorker(host)
        try worker.record(try worker.claim(), followUp: .soon)
        #expect(try worker.claim().count == 1)
        try host.restart()
        worker = try TestWorker(host)
        #expect(try worker.claim().isEmpty)
        host.advance(by: .seconds(120))
        #expect(try worker.claim().map(\.workClass) == [.followUp])
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
