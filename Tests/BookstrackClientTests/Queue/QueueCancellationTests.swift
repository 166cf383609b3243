import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("Cancelling and clearing the queue", .timeLimit(.minutes(1)))
@MainActor
struct QueueCancellationTests {
    private let rig = QueueRig()

    @Test("clearing the queue cancels its job and removes every book")
    func clear() async throws {
        let queue = try rig.queue()
        let job = try await rig.watchedJob(of: queue, books: 150)
        try await queue.clear()
        queue.stop()
        #expect(queue.isEmpty)
        #expect(await rig.server.calls.contains("DELETE /v1/jobs/\(job)"))
    }

    @Test("the job of a queue that was cleared without a network is cancelled later, even after a restart of the app")
    func clearedOffline() async throws {
        let tokens = MemoryTokenStore()
        let client = BookstrackClient(transport: rig.server, tokens: tokens, clock: rig.clock)
        let first = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        let job = try await rig.watchedJob(of: first)
        await rig.server.setOffline(true)
        let error = await #expect(throws: BookstrackError.self) { try await first.clear() }
        first.stop()
        #expect(error?.code == .connectionFailed)
        #expect(first.isEmpty)
        let second = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        #expect(second.isEmpty)
        second.start()
        try await until { second.lastError != nil }
        let earlier = await rig.server.calls.count
        await rig.server.setOffline(false)
        try await until { second.lastError == nil }
        second.stop()
        #expect(await tokens.token(of: job) == nil)
        #expect(await rig.server.calls.dropFirst(earlier).contains("DELETE /v1/jobs/\(job)"))
    }

    /// A server that refuses to cancel any job.
    private struct Uncancellable: ForwardingTransport {
        let server: FakeServer

        func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
            guard request.method == "DELETE" else { return try await server.answer(to: request) }
            let refusal = #"{"error":{"message":"m","code":"FORBIDDEN","retryable":false,"statusCode":403}}"#
            return ClientAnswer(status: 403, body: Data(refusal.utf8))
        }
    }

    @Test("if the server refuses to cancel the job of a cleared queue, its token is removed nevertheless")
    func refusedCancellation() async throws {
        let client = BookstrackClient(transport: Uncancellable(server: rig.server), clock: rig.clock)
        let queue = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        let job = try await rig.watchedJob(of: queue)
        queue.stop()
        try await queue.clear()
        #expect(try await client.tokens.token(of: job) == nil)
    }

    /// How a job ends without results.
    enum Ending: CaseIterable, Sendable { case failed, forgotten, cancelled, cancelledByQueue, cleared }

    @Test(
        "the token of a job is removed even if the job ends without results",
        arguments: Ending.allCases)
    func tokens(ending: Ending) async throws {
        let client = BookstrackClient(transport: rig.server, clock: TestClock(date: QueueRig.start))
        let queue = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        let job = try await rig.watchedJob(of: queue)
        switch ending {
        case .failed: await rig.server.fail(job)
        case .forgotten: await rig.server.forget(job)
        case .cancelled: try await client.cancel(job)
        case .cancelledByQueue: try await queue.cancelBackendJob()
        case .cleared: try await queue.clear()
        }
        try await until { try await client.tokens.token(of: job) == nil }
        #expect(queue.currentJobId != job)
        queue.stop()
    }

    @Test("cancelling a job whose token was lost removes its books from the queue")
    func lostToken() async throws {
        let client = BookstrackClient(transport: rig.server, clock: TestClock(date: QueueRig.start))
        let queue = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        try await client.tokens.remove(rig.watchedJob(of: queue))
        try await queue.cancelBackendJob()
        queue.stop()
        #expect(queue.isEmpty)
    }

    @Test("a late response about a cancelled job does not end the next job")
    func lateResponse() async throws {
        await rig.books(150)
        let transport = LateResponse(of: rig.server, to: ErrorPage.results)
        let queue = try rig.queue(transport)
        let first = try await rig.watchedJob(of: queue, books: 150)
        await rig.server.fail(first)
        try await until { await transport.isHolding }
        try await queue.cancelBackendJob()
        try await until { await rig.server.jobIDs.count >= 2 }
        await transport.release()
        // Lets the task of the first job handle the response.
        for _ in 0..<100 { await Task.yield() }
        let second = try #require(queue.currentJobId)
        #expect(second != first)
        await rig.server.advance(second, by: 50)
        try await rig.drain(queue) { queue.isEmpty }
        #expect(await rig.server.jobIDs.count == 2)
        #expect(rig.library.keys() == (100..<150).map(QueueRig.isbn))
    }

    @Test("a job whose start is confirmed only after the queue was cleared is cancelled")
    func lateStart() async throws {
        await rig.server.setSteps(.manual)
        let transport = LateResponse(of: rig.server, to: "/v1/enrichment/batch")
        let queue = try rig.queue(transport)
        try queue.enqueue(isbns: [QueueRig.isbn(0)])
        queue.start()
        try await until { await transport.isHolding }
        let job = try #require(queue.currentJobId)
        try await queue.clear()
        await transport.release()
        try await until { await rig.server.calls.contains("DELETE /v1/jobs/\(job)") }
        queue.stop()
    }

    @Test("late outcomes of books that are no longer in the queue are not delivered", arguments: [true, false])
    func lateOutcomes(isRefusal: Bool) async throws {
        await rig.books(1)
        if isRefusal { await rig.server.failNext(ClientAnswer(status: 400, body: Data(PickyServer.refusal.utf8))) }
        let transport = LateResponse(of: rig.server, to: isRefusal ? "/v1/enrichment/batch" : ErrorPage.results)
        let queue = try rig.queue(transport)
        try queue.enqueue(isbns: [QueueRig.isbn(0)])
        queue.start()
        try await until { await transport.isHolding }
        try await queue.clear()
        await transport.release()
        // Lets the task of the removed job handle the response.
        for _ in 0..<100 { await Task.yield() }
        queue.stop()
        #expect(rig.library.rows.isEmpty)
    }
}
