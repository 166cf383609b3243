import BookstrackContract
import GRDB
import Logging
import SuiteMethods
import TestSupport
import Testing

@testable import ProgressHost

@Suite("Life of a job")
struct JobLifeTests {
    @Test("the log receives the technical text of each progress frame, and the client the friendly one")
    func technicalText() throws {
        let log = RecordingLog()
        let host = try TestHost(logger: log.logger)
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        try worker.record([try worker.claim()[0]])
        #expect(log.texts(at: .debug).contains("Enriching (1/10): Book 0"))
        #expect(host.proxy.take(socket).frames.last?.payload?["userMessage"]?.text?.contains("Book 0...") == true)
    }

    @Test("a start whose caller gave up before it was processed creates no job")
    func givenUp() throws {
        let host = try TestHost()
        let start = host.command(durable: true, isAwaited: false) { engine, turn in
            try engine.create(
                TestHost.jobID, pipeline: .batchEnrichment, digest: "d", items: [BookQuery(title: "Dune")],
                origin: .peer, turn)
        }
        host.group([start.command])
        #expect(throws: HostFailure.givenUp) { try start.answer.value() }
        #expect(host.openJobs == 0)
        #expect(try host.create(books: 1).status == .pending)
    }

    @Test("a command whose caller gave up is answered once, even if its group is rolled back")
    func givenUpInFailingGroup() throws {
        struct Fault: Error {}
        let host = try TestHost()
        let givenUp = host.command(isAwaited: false) { _, _ in }
        let failing = host.command { _, _ in throw Fault() }
        host.group([givenUp.command, failing.command])
        #expect(givenUp.answer.count == 1)
        #expect(failing.answer.count == 1)
    }

    @Test(
        "repeating a start with the same jobId and body returns the same job and a new token, and earlier tokens stay valid"
    )
    func repeatedStart() throws {
        let host = try TestHost()
        let first = try host.create(books: 3)
        let second = try host.create(books: 3)
        #expect(first.token != second.token)
        #expect(second.totalCount == 3)
        #expect(try host.state(token: first.token).jobId == first.jobId)
        #expect(try host.state(token: second.token).jobId == first.jobId)
        #expect(throws: HostFailure.jobExists(first.jobId, .pending)) { try host.create(books: 4, digest: "other") }
    }

    @Test("repeating a start after the job's end returns the job's final status")
    func repeatedAfterTheEnd() throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(try host.create(books: 1).status == .completed)
    }

    @Test("a start with no items or with too many is refused")
    func itemLimit() throws {
        let host = try TestHost()
        #expect(throws: HostFailure.invalidRequest("a job needs 1 to 10000 items")) { try host.create(books: 0) }
        #expect(throws: HostFailure.invalidRequest("a job needs 1 to 10000 items")) { try host.create(books: 10_001) }
    }

    @Test("a start with 10 000 books that is sent in pages creates one job")
    func draft() throws {
        let host = try TestHost()
        let owner = host.proxy.id
        let draft = try host.perform { engine, turn in
            try engine.beginDraft(
                .init(jobId: TestHost.jobID, pipeline: .batchEnrichment, digest: "d", totalCount: 10_000),
                owner: owner, turn)
        }
        for page in 0..<10 {
            let items = (0..<1_000).map { BookQuery(title: "Book \(page * 1_000 + $0)") }
            try host.perform { engine, turn in
                try engine.appendToDraft(.init(draftId: draft.draftId, items: items), owner: owner, turn)
            }
        }
        let job = try host.perform(durable: true) { engine, turn in
            try engine.submitDraft(draft.draftId, owner: owner, turn)
        }
        #expect(job.totalCount == 10_000)
        let worker = try TestWorker(host)
        #expect(try worker.claim(limit: 1)[0].query.title == "Book 0")
    }

    @Test("a job's state contains its newest event's counts and sequence number")
    func stateOfEvent() throws {
        let host = try TestHost()
        let job = try host.create(books: 100)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record([items[1]])
        var state = try host.state(token: job.token)
        #expect(state.lastSeq == 2)
        #expect(state.processedCount == 1)
        host.advance(by: .milliseconds(500))
        state = try host.state(token: job.token)
        #expect(state.lastSeq == 3)
        #expect(state.processedCount == 2)
    }

    @Test("a job's state and counts reflect the outcomes of its items")
    func state() throws {
        let host = try TestHost()
        let job = try host.create(books: 4)
        var state = try host.state(token: job.token)
        #expect(state.status == .pending)
        #expect(state.progress == 0)
        #expect(state.startedAt == nil)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record(Array(items[..<1]))
        try worker.record(Array(items[1..<2]), error: .notFound)
        state = try host.state(token: job.token)
        #expect(state.status == .processing)
        #expect((state.processedCount, state.successCount, state.failureCount) == (2, 1, 1))
        #expect(state.progress == 0.5)
        #expect(state.startedAt != nil)
        #expect(state.endedAt == nil)
        #expect(state.expiresAt == nil)
        host.advance(by: .seconds(60))
        try worker.record(Array(items[2...]))
        state = try host.state(token: job.token)
        #expect(state.status == .completed)
        #expect(state.endedAt == "2025-11-15T20:01:00.000Z")
        #expect(state.expiresAt == "2025-11-16T20:01:00.000Z")
        #expect(state.resultsRevision == 1)
        #expect(throws: HostFailure.unauthorized) { try host.state(token: "wrong") }
        #expect(throws: HostFailure.unauthorized) { try host.state(JobID("no-such-job")!, token: job.token) }
    }

    @Test(
        "a job whose lookups have all ended fails only if the providers failed for every book",
        arguments: [
            ([ItemErrorCode.providerError, .quotaExhausted], JobStatus.failed),
            ([.notFound, .providerError], .completed),
            ([.invalidISBN, .invalidISBN], .completed),
        ])
    func wholeJobFailure(errors: [ItemErrorCode], status: JobStatus) throws {
        let host = try TestHost(jitter: 0)
        let job = try host.create(books: errors.count)
        let worker = try TestWorker(host)
        for _ in 0..<4 {
            for item in try worker.claim() { try worker.record([item], error: errors[item.key.index]) }
        }
        #expect(try host.state(token: job.token).status == status)
    }

    @Test("an error frame lists at most ten books and counts all failures")
    func errorFrame() throws {
        let host = try TestHost(jitter: 0)
        let job = try host.create(books: 15)
        let worker = try TestWorker(host)
        for _ in 0..<4 { try worker.record(try worker.claim(), error: .providerTimeout) }
        let frame = try #require(
            host.proxy.take(try host.open(token: job.token, reconnect: true)).frames.first { $0.type == "error" })
        #expect(frame.payload?["affectedItems"]?.list?.count == 10)
        #expect(frame.payload?["details"]?["failureCount"]?.integer == 15)
        #expect(frame.payload?["retryable"]?.flag == true)
        #expect(frame.bytes.count < 1_024)
    }

    @Test("a job that no worker starts fails after 24 h with a reason")
    func deadlineUnstarted() async throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        host.advance(by: .seconds(86_399))
        #expect(host.openJobs == 1)
        host.advance(by: .seconds(1))
        #expect(host.openJobs == 0)
        let again = try host.create(books: 3, origin: JobOrigin(client: "c", shownToken: job.token))
        #expect(again.status == .failed)
        let frame = try #require(
            host.proxy.take(try host.open(token: again.token, reconnect: true)).frames.first { $0.type == "error" })
        #expect(frame.payload?["message"]?.text?.contains("time") == true)
        let rows = try await host.resultRows(job.jobId)
        #expect(rows.map(\.errorCode) == [.deadlineExceeded, .deadlineExceeded, .deadlineExceeded])
    }

    @Test("if the deadlines of many jobs pass while the host is stopped, the jobs end a few at a time")
    func manyDeadlines() throws {
        var policy = HostPolicy()
        policy.deadlinesPerStep = 2
        let host = try TestHost(policy)
        for number in 10..<20 { try host.create(JobID("job-number-\(number)")!, books: 1) }
        host.clock.move(by: .seconds(86_400))
        try host.restart()
        host.clock.move(by: .seconds(1))
        for _ in 1...2 { host.group([]) }
        #expect(host.openJobs > 0)
        host.advance(by: .zero)
        #expect(host.openJobs == 0)
    }

    @Test("a job that is partly done at its deadline completes with its results so far, and its worker is told to stop")
    func deadlineHalfDone() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]])
        host.advance(by: .seconds(86_400))
        #expect(worker.link.takeWithdrawn() == [TestHost.jobID])
        let again = try host.create(books: 3, origin: JobOrigin(client: "c", shownToken: job.token))
        let state = try host.state(token: again.token)
        #expect(state.status == .completed)
        #expect((state.successCount, state.failureCount) == (1, 2))
    }

    @Test(
        "a job may still run for a full day if the machine's clock is set forward or back",
        arguments: [-7_200, 7_200, 90_000, 900_000])
    func steppedClock(step: Int) throws {
        let host = try TestHost()
        try host.create(books: 3)
        host.clock.stepWall(by: .seconds(step))
        host.advance(by: .seconds(86_399))
        #expect(host.openJobs == 1)
        host.advance(by: .seconds(1))
        #expect(host.openJobs == 0)
    }

    @Test("a job that is accepted while a clock set ahead is not trusted yet may run for a day")
    func acceptedBeforeTrust() throws {
        let host = try TestHost()
        host.clock.stepWall(by: .seconds(400 * 86_400))
        host.advance(by: .seconds(24 * 3_600))
        try host.create(books: 3)
        host.advance(by: .seconds(86_399))
        #expect(host.clock.now().settled == host.clock.now().wall)
        #expect(host.openJobs == 1)
        host.advance(by: .seconds(1))
        #expect(host.openJobs == 0)
    }

    @Test("a job that is accepted while the clock is ahead may run for a day, even after a restart with the right time")
    func acceptedAhead() throws {
        let host = try TestHost()
        let ahead = Duration.seconds(400 * 86_400)
        host.clock.stepWall(by: ahead)
        try host.create(books: 3)
        host.clock.stepWall(by: .zero - ahead)
        try host.restart()
        host.advance(by: .seconds(86_399))
        #expect(host.openJobs == 1)
        host.advance(by: .seconds(1))
        #expect(host.openJobs == 0)
    }

    @Test("a clock that jumps forward does not change the estimated time remaining")
    func estimateAfterJump() throws {
        let host = try TestHost()
        let job = try host.create(books: 4)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.watch(token: job.token)
        host.advance(by: .seconds(10))
        host.clock.stepWall(by: .seconds(25 * 3_600))
        host.proxy.skipAll()
        try worker.record([items[0]])
        let frame = try #require(host.proxy.take(socket).frames.last)
        #expect(frame.payload?["estimatedTimeRemaining"]?.integer == 30)
    }

    @Test("a clock that is a day ahead for half a minute fails no job, removes no results and expires no token")
    func falseClock() async throws {
        let host = try TestHost()
        let ended = try host.create(JobID("ended-job")!, books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let open = try host.create(JobID("open-job")!, books: 2)
        let items = try worker.claim()
        try worker.record([items[0]], followUp: .soon)
        host.clock.stepWall(by: .seconds(25 * 3_600))
        host.advance(by: .seconds(30))
        #expect(try host.state(ended.jobId, token: ended.token).status == .completed)
        #expect(try await host.resultRows(ended.jobId).count == 1)
        #expect(try host.state(open.jobId, token: open.token).status == .processing)
        #expect(try worker.claim().map(\.workClass) == [.followUp])
        host.clock.stepWall(by: .seconds(-25 * 3_600))
        host.advance(by: .seconds(60))
        #expect(try await host.resultRows(ended.jobId).count == 1)
        try worker.record([items[1]])
        #expect(try host.state(open.jobId, token: open.token).status == .completed)
    }

    @Test("a clock that stays ahead is trusted once earlier jobs have also expired by elapsed time")
    func correctedClock() async throws {
        let host = try TestHost()
        host.clock.stepWall(by: .seconds(400 * 86_400))
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(host.clock.now().settled < host.clock.now().wall)
        host.advance(by: .seconds(86_399))
        #expect(try await host.resultRows(job.jobId).count == 1)
        host.advance(by: .seconds(2 * 3_600))
        #expect(host.clock.now().settled == host.clock.now().wall)
        await #expect(throws: HostFailure.self) { try await host.resultRows(job.jobId) }
    }

    @Test(
        "cancelling a job stops it, discards its open items and notifies its worker, and cancelling it again changes nothing"
    )
    func cancel() async throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let items = try worker.claim(limit: 5)
        try worker.record(Array(items[..<2]))
        let socket = try host.watch(token: job.token)
        host.proxy.skipAll()
        let outcome = try host.cancel(token: job.token)
        #expect(outcome.status == .cancelled)
        #expect(outcome.cleanup.itemsDiscarded == 8)
        #expect(worker.link.takeWithdrawn() == [job.jobId])
        // The pending update is sent first, then the terminal event, then the close.
        let received = host.proxy.take(socket)
        #expect(received.story == ["job_progress", "job_progress", "close 1001"])
        #expect(received.frames.map { $0.payload?["processedCount"]?.integer } == [2, 2])
        #expect(received.frames.map { $0.payload?["percentage"]?.integer } == [20, 20])
        #expect(received.frames.map { $0.payload?["remaining"]?.integer } == [8, 8])
        #expect(received.frames[1].payload?["failureCount"]?.integer == 8)
        #expect(received.frames[1].payload?["status"]?.text == "job_cancelled")
        let again = try host.cancel(token: job.token)
        #expect(again.status == .cancelled)
        #expect(again.cleanup.itemsDiscarded == 0)
        #expect(again.message != outcome.message)
        try worker.record(Array(items[2...]))
        #expect(try worker.claim().isEmpty)
        let state = try host.state(token: job.token)
        #expect((state.processedCount, state.successCount, state.failureCount) == (2, 2, 8))
        #expect(state.progress == 0.2)
        let late = host.proxy.take(try host.open(token: job.token, reconnect: true)).frames[0]
        #expect(late.payload?["processedCount"]?.integer == 2)
        let rows = try await host.resultRows()
        #expect(rows.map(\.success) == [true, true] + Array(repeating: false, count: 8))
        #expect(rows.last?.errorCode == .cancelled)
    }

    @Test("cancelling a job after its end changes nothing, and a client without a valid token for the job is refused")
    func cancelAfterTheEnd() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(try host.cancel(token: job.token).status == .completed)
        #expect(throws: HostFailure.unauthorized) { try host.cancel(token: "wrong") }
        #expect(throws: HostFailure.unauthorized) { try host.cancel(token: nil) }
        #expect(throws: HostFailure.unauthorized) { try host.cancel(JobID("no-such-job")!, token: job.token) }
    }
}
