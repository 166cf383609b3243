import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("Repeated requests of the queue", .timeLimit(.minutes(1)))
@MainActor
struct QueueRetryTests {
    private let rig = QueueRig()

    @Test("books added while offline are looked up when the network returns, even a day later")
    func offline() async throws {
        await rig.books(120)
        await rig.server.setOffline(true)
        let queue = try rig.queue()
        try queue.enqueue(isbns: (0..<120).map(QueueRig.isbn))
        queue.start()
        try await until { rig.clock.date >= QueueRig.start.addingTimeInterval(86_400) }
        #expect(queue.lastError?.code == .connectionFailed)
        #expect(rig.library.rows.isEmpty)
        await rig.server.setOffline(false)
        try await rig.drain(queue) { queue.isEmpty }
        #expect(rig.library.rows.count == 120)
        #expect(queue.lastError == nil)
    }

    /// A queue with one book whose first start was answered with 503, and which now sleeps.
    private func pausedQueue(on clock: TestClock, retryAfter seconds: Int) async throws -> EnrichmentQueue {
        await rig.server.failNext(ClientAnswer(status: 503, headers: ["retry-after": "\(seconds)"]))
        let client = BookstrackClient(transport: rig.server, clock: clock)
        let queue = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        try queue.enqueue(isbns: [QueueRig.isbn(0)])
        queue.start()
        await clock.sleepersArrive()
        return queue
    }

    @Test("the queue pauses after a failure even if the server asks for no pause")
    func noPauseAsked() async throws {
        let clock = TestClock()
        let queue = try await pausedQueue(on: clock, retryAfter: 0)
        #expect(await rig.server.jobIDs.isEmpty)
        queue.stop()
    }

    @Test("books that are added do not shorten the pause that the server asked for")
    func pauseAsked() async throws {
        await rig.books(2)
        let clock = TestClock()
        let queue = try await pausedQueue(on: clock, retryAfter: 90)
        try queue.enqueue(isbns: [QueueRig.isbn(1)])
        // Lets the queue make its next step, if it does not wait.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(await rig.server.calls.count == 1)
        clock.advance(by: .seconds(90))
        try await rig.drain(queue) { queue.isEmpty }
    }

    @Test(
        "books that no provider could look up are checked three more times over a day, and never put into a second job"
    )
    func visits() async throws {
        await rig.books(3, failure: .providerTimeout)
        let queue = try rig.queue()
        try queue.enqueue(isbns: (0..<3).map(QueueRig.isbn))
        queue.start()
        try await rig.drain(queue) { queue.isEmpty }
        let reads = await rig.server.calls.count { $0.hasPrefix("GET /v1/enrichment/results/") }
        #expect(reads == 4)
        #expect(await rig.server.jobIDs.count == 1)
        #expect(rig.clock.date >= QueueRig.start.addingTimeInterval(86_400))
        #expect(rig.library.improvements == 0)
    }

    @Test("a queue whose clock was set back by a year does not wait a year")
    func clockSetBack() async throws {
        await rig.books(1, failure: .providerTimeout)
        let first = try rig.queue()
        try first.enqueue(isbns: [QueueRig.isbn(0)])
        first.start()
        try await rig.drain(first) { !rig.library.rows.isEmpty && first.currentJobId == nil }
        let past = QueueRig.start.addingTimeInterval(-365 * 86_400)
        let clock = TestClock(date: past, isInstant: true)
        let client = BookstrackClient(transport: rig.server, clock: clock)
        let second = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        second.start()
        try await rig.drain(second) { second.isEmpty }
        #expect(clock.date < past.addingTimeInterval(2 * 86_400))
    }

    @Test("books that their job did not look up before its deadline are put into another job, at most three times")
    func missedDeadlines() async throws {
        await rig.server.setSteps(.manual)
        let queue = try rig.queue()
        try queue.enqueue(isbns: [QueueRig.isbn(0)])
        queue.start()
        var failed: Set<JobID> = []
        while !queue.isEmpty {
            for job in await rig.server.jobIDs where failed.insert(job).inserted { await rig.server.fail(job) }
            await Task.yield()
        }
        queue.stop()
        #expect(failed.count == 4)
        #expect(rig.library.rows.map(\.errorCode) == [.deadlineExceeded])
    }

    @Test("of a job that missed its deadline, only the books without an outcome are put into another job")
    func partlyMissedDeadline() async throws {
        await rig.books(3)
        let queue = try rig.queue()
        let first = try await rig.watchedJob(of: queue, books: 3)
        await rig.server.advance(first, by: 2)
        await rig.server.setSteps(.automatic)
        await rig.server.fail(first)
        try await rig.drain(queue) { queue.isEmpty }
        let second = try #require(await rig.server.jobIDs.first { $0 != first })
        #expect(await rig.server.items(of: second).map(\.isbn) == [QueueRig.isbn(2)])
        #expect(rig.library.keys { $0.success } == (0..<3).map(QueueRig.isbn))
        #expect(rig.library.rows.count == 3)
    }

    @Test("the books of a job that the server no longer stores are put into a new job")
    func forgottenJob() async throws {
        await rig.books(2)
        let queue = try rig.queue()
        let job = try await rig.watchedJob(of: queue, books: 2)
        await rig.server.setSteps(.automatic)
        await rig.server.forget(job)
        try await rig.drain(queue) { queue.isEmpty }
        #expect(rig.library.keys { $0.success } == (0..<2).map(QueueRig.isbn))
    }
}
