import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import TestSupport
import Testing

@Suite("Following a job: improved results", .timeLimit(.minutes(1)))
struct FollowingResultsTests {
    @Test(
        "improved results are reported after the job's end until the server closes the connection",
        arguments: [EventTransport.webSocket, .eventStream])
    func results(transport: EventTransport) async throws {
        let server = FakeServer()
        let client = FollowedJobs.client(server, TestClock(), [transport])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        var updates: [ResultsUpdate] = []
        for try await event in client.events(of: job.jobId, followsResults: true) {
            if event.isLast { await server.improve(job.jobId, rows: 3) }
            guard case .resultsUpdated(let update) = event.content else { continue }
            updates.append(update)
            // The real server does this after an hour.
            await server.close(code: 1_000)
        }
        #expect(updates.map(\.resultsRevision) == [2])
        #expect(updates.map(\.improved) == [3])
        #expect(updates.map(\.message) == ["We found more metadata for 3 books."])
    }

    @Test(
        "a relaunched app that continues after the last event receives improved results",
        arguments: [EventTransport.webSocket, .eventStream])
    func resultsAfterRelaunch(transport: EventTransport) async throws {
        let server = FakeServer()
        let statuses = Statuses()
        let client = FollowedJobs.client(server, TestClock(), [transport])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        let end = try await client.events(of: job.jobId).last()
        let events = client.events(of: job.jobId, from: .after(end.seq), followsResults: true) { statuses.add($0) }
        let following = Task { try await events.reduce(into: [JobEvent.Content]()) { $0.append($1.content) } }
        await statuses.wait { if case .received = $0 { true } else { false } }
        await server.improve(job.jobId, rows: 3)
        try await until { await server.calls.contains("GET /v1/jobs/\(job.jobId)") }
        // The real server does this after an hour.
        await server.close(code: 1_000)
        let contents = try await following.value
        #expect(contents.count == 1)
        guard case .resultsUpdated(let update)? = contents.first else {
            Issue.record("the update was not delivered")
            return
        }
        #expect(update.improved == 3)
    }

    @Test("the last event is acknowledged, whether or not improved results are followed", arguments: [true, false])
    func acknowledgment(followsResults: Bool) async throws {
        let server = SentMessages(of: FakeServer())
        let client = FollowedJobs.client(server, TestClock(), [.webSocket])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        let end = try await client.events(of: job.jobId, followsResults: followsResults).last()
        let sent = #"{"type":"ack","seq":\#(end.seq)}"#
        try await until { await server.texts.contains(sent) }
    }

    @Test("results that improve while the connection is broken are reported after the reconnect")
    func missedResults() async throws {
        let server = FakeServer()
        let client = FollowedJobs.client(server, TestClock(isInstant: true), [.eventStream])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        var updates: [ResultsUpdate] = []
        for try await event in client.events(of: job.jobId, followsResults: true) {
            if event.isLast { await server.improve(job.jobId) }
            guard case .resultsUpdated(let update) = event.content else { continue }
            updates.append(update)
            guard updates.count == 1 else { break }
            await server.setOffline(true)
            await server.improve(job.jobId)
            await server.setOffline(false)
        }
        #expect(updates.map(\.resultsRevision) == [2, 3])
        #expect(updates.map(\.improved) == [1, nil])
    }
}

/// A server whose WebSockets record what clients send.
private actor SentMessages: ForwardingTransport {
    private struct Socket: WebSocketConnection {
        let base: any WebSocketConnection
        let add: @Sendable (String) async -> Void

        func receive() async throws(TransportFailure) -> WebSocketMessage { try await base.receive() }

        func send(_ text: String) async throws(TransportFailure) {
            await add(text)
            try await base.send(text)
        }

        func close() async { await base.close() }
    }

    let server: FakeServer
    private(set) var texts: [String] = []

    init(of server: FakeServer) { self.server = server }

    func webSocket(_ request: ClientRequest, subprotocol: String) async throws(TransportFailure)
        -> any WebSocketConnection
    {
        Socket(base: try await server.webSocket(request, subprotocol: subprotocol)) { await self.add($0) }
    }

    private func add(_ text: String) { texts.append(text) }
}
