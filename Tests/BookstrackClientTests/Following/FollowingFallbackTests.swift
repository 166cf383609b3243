import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import TestSupport
import Testing

@Suite("Following a job: transports, proxies and polling", .timeLimit(.minutes(1)))
struct FollowingFallbackTests {
    @Test(
        "if WebSockets are blocked, the next transport that is not blocked is used",
        arguments: [Set([EventTransport.webSocket]), [.webSocket, .eventStream]])
    func ladder(refused: Set<EventTransport>) async throws {
        let server = FakeServer()
        await server.refuse(refused)
        let statuses = Statuses()
        var policy = FollowPolicy()
        // With an instant clock, an attempt may time out before its first message is read.
        policy.attemptsPerTransport = 1_000
        let client = BookstrackClient(transport: server, policy: policy, clock: TestClock(isInstant: true))
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        let end = try await client.events(of: job.jobId) { statuses.add($0) }.last()
        #expect(end.seq == 42)
        let connected = statuses.all.compactMap { if case .connected(let transport) = $0 { transport } else { nil } }
        #expect(connected == [refused.count == 1 ? .eventStream : .polling])
    }

    @Test("a client switches to polling if a proxy changes the content type of an event stream that does not end")
    func changedType() async throws {
        let server = FakeServer(steps: .manual)
        let client = FollowedJobs.client(
            TypeChanger(server: server), TestClock(isInstant: true), [.eventStream, .polling])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        await server.advance(job.jobId)
        var seqs: [Int] = []
        for try await event in client.events(of: job.jobId) {
            seqs.append(event.seq)
            await server.advance(job.jobId, by: 100)
        }
        #expect(seqs == [2, 42])
    }

    @Test("the last event contains the reasons why books have no result", arguments: EventTransport.allCases)
    func reasons(transport: EventTransport) async throws {
        let server = FakeServer()
        await server.add(
            FakeBook(isbn: FollowedJobs.isbns[0], title: "Dune", author: "Frank Herbert", failure: .quotaExhausted))
        let client = FollowedJobs.client(server, TestClock(), [transport])
        let job = try await client.startEnrichment(isbns: Array(FollowedJobs.isbns.prefix(3)))
        let end = try await client.events(of: job.jobId).last()
        var reasons = FailureCounts()
        (reasons[.quotaExhausted], reasons[.notFound]) = (1, 2)
        guard case .completed(let summary) = end.content else {
            Issue.record("the job did not complete: \(end.content)")
            return
        }
        #expect(summary.failureCounts == reasons)
    }

    @Test("a client waits for events even if a proxy removes or changes the ETag", arguments: [nil, "W/\"other\""])
    func changedTag(tag: String?) async throws {
        let server = FakeServer(steps: .manual)
        let client = FollowedJobs.client(TagChanger(server: server, tag: tag), TestClock(), [.polling])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        await server.advance(job.jobId)
        let following = Task { try await client.events(of: job.jobId).last() }
        // The first poll returns the state, and the second one waits.
        try await until { await server.polls >= 2 }
        for _ in 0..<100 { await Task.yield() }
        #expect(await server.polls == 2)
        await server.advance(job.jobId, by: 100)
        #expect(try await following.value.isLast)
    }

    @Test("a client that polls uses a refreshed token from its next poll on")
    func refreshedWhilePolling() async throws {
        let server = FakeServer(steps: .manual)
        let client = FollowedJobs.client(server, TestClock(), [.polling])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        let following = Task { try await client.events(of: job.jobId).last() }
        try await server.waitingPolls(1)
        try await client.refreshToken(of: job.jobId)
        await server.advance(job.jobId)
        try await server.waitingPolls(2)
        await server.advance(job.jobId, by: 100)
        #expect(try await following.value.isLast)
    }
}

/// A server behind a proxy that changes the content type of event streams.
private struct TypeChanger: ForwardingTransport {
    let server: FakeServer

    func stream(_ request: ClientRequest) async throws(TransportFailure) -> ClientStream {
        var stream = try await server.stream(request)
        stream.head.headers["content-type"] = "application/octet-stream"
        return stream
    }
}

/// A server behind a proxy that replaces the `ETag` of responses, or removes it if `tag` is nil.
private struct TagChanger: ForwardingTransport {
    let server: FakeServer
    let tag: String?

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        var answer = try await server.answer(to: request)
        answer.headers["etag"] = tag
        return answer
    }
}

extension FakeServer {
    /// Number of requests for the state of a job.
    fileprivate var polls: Int { calls.count { $0.hasPrefix("GET /v1/jobs/") } }

    /// Returns once this number of polls have begun to wait for an event.
    fileprivate func waitingPolls(_ count: Int) async throws {
        try await until { calls.count(where: { $0.contains("?wait=") }) >= count }
    }
}
