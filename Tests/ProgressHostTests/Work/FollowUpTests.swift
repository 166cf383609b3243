import BookstrackContract
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Follow-ups")
struct FollowUpTests {
    private static let hour = Duration.seconds(3_600)

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

    @Test("results and token are kept for 1 h after a follow-up that was planned before the job's end")
    func plannedBeforeEnd() throws {
        var policy = HostPolicy()
        policy.resultsTTL = .seconds(600)
        policy.tokens.ttl = Self.hour
        let host = try TestHost(policy)
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]], followUp: .soon)
        try worker.record(try worker.claim(), followUp: .later)
        host.advance(by: Self.hour / 2)
        try worker.record(try worker.claim())
        #expect(try host.state(token: job.token).status == .completed)
        host.advance(by: Self.hour / 2)
        let late = try worker.claim()
        #expect(late.map(\.workClass) == [.followUp])
        try worker.record(late)
        host.advance(by: Self.hour - .seconds(10))
        #expect(throws: Never.self) { try host.state(token: job.token) }
        host.advance(by: .seconds(60))
        #expect(throws: HostFailure.self) { try host.state(token: job.token) }
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
