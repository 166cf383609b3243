import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import Testing

@Suite("Following a job: every event once and in order", .timeLimit(.minutes(1)))
struct FollowingTests {
    private static let isbns = (0..<40).map { "97800000\(10_000 + $0)" }

    private func client(
        _ server: any ClientTransport, _ clock: TestClock, _ transports: [EventTransport] = EventTransport.allCases
    )
        -> BookstrackClient
    {
        var policy = FollowPolicy()
        policy.transports = transports
        return BookstrackClient(transport: server, policy: policy, clock: clock)
    }

    @Test(
        "every event arrives once and in order, even if connections break after every few frames",
        arguments: [EventTransport.webSocket, .eventStream], [1, 2, 3, 7])
    func cuts(transport: EventTransport, frames: Int) async throws {
        let server = FakeServer()
        await server.cut(everyFrames: frames + 1)
        let client = client(server, TestClock(isInstant: true), [transport])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        var seqs: [Int] = []
        for try await event in client.events(of: job.jobId) { seqs.append(event.seq) }
        #expect(seqs == Array(1...42))
    }

    @Test("live events arrive in order, even if every connection is cut", arguments: EventTransport.allCases)
    func liveCuts(transport: EventTransport) async throws {
        let server = FakeServer(steps: .manual)
        let client = client(server, TestClock(isInstant: true), [transport])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId)
        var seqs: [Int] = []
        for try await event in client.events(of: job.jobId) {
            seqs.append(event.seq)
            if event.seq.isMultiple(of: 3) { await server.cut() }
            await server.advance(job.jobId, by: 1)
        }
        #expect(seqs == seqs.sorted())
        #expect(Set(seqs).count == seqs.count)
        #expect(seqs.last == 42)
        if transport != .polling { #expect(seqs == Array(1...42)) }
    }

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
        let job = try await client.startEnrichment(isbns: Self.isbns)
        let end = try await client.events(of: job.jobId) { statuses.add($0) }.last()
        #expect(end.seq == 42)
        let connected = statuses.all.compactMap { if case .connected(let transport) = $0 { transport } else { nil } }
        #expect(connected == [refused.count == 1 ? .eventStream : .polling])
    }

    @Test("a job can be followed from any event or from its current state")
    func positions() async throws {
        let server = FakeServer()
        // With an instant clock, attempts may time out before their first message is read; the last transport skips events.
        let client = client(server, TestClock(isInstant: true), [.webSocket])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        var late: [Int] = []
        for try await event in client.events(of: job.jobId, from: .after(39)) { late.append(event.seq) }
        #expect(late == [40, 41, 42])
        var now: [Int] = []
        for try await event in client.events(of: job.jobId, from: .now) { now.append(event.seq) }
        #expect(now == [42])
        var none: [Int] = []
        for try await event in client.events(of: job.jobId, from: .after(42)) { none.append(event.seq) }
        #expect(none == [])
    }

    @Test("following a job with a wrong or missing token fails with an error")
    func tokens() async throws {
        let server = FakeServer()
        let client = client(server, TestClock(isInstant: true))
        let job = try await client.startEnrichment(isbns: Self.isbns)
        try await client.tokens.save("wrong", of: job.jobId)
        await #expect { try await client.events(of: job.jobId).last() } throws: {
            ($0 as? BookstrackError)?.code == .unauthorized
        }
        try await client.tokens.remove(job.jobId)
        await #expect { try await client.events(of: job.jobId).last() } throws: {
            ($0 as? BookstrackError)?.code == .tokenMissing
        }
    }

    @Test("a client switches to polling if a proxy changes the content type of an event stream that does not end")
    func changedType() async throws {
        let server = FakeServer(steps: .manual)
        let client = client(TypeChanger(server: server), TestClock(isInstant: true), [.eventStream, .polling])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId)
        var seqs: [Int] = []
        for try await event in client.events(of: job.jobId) {
            seqs.append(event.seq)
            await server.advance(job.jobId, by: 100)
        }
        #expect(seqs == [2, 42])
    }

    @Test("a client waits for events even if a proxy removes or changes the ETag", arguments: [nil, "W/\"other\""])
    func changedTag(tag: String?) async throws {
        let server = FakeServer(steps: .manual)
        let client = client(TagChanger(server: server, tag: tag), TestClock(), [.polling])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId)
        let following = Task { try await client.events(of: job.jobId).last() }
        // The first poll returns the state, and the second one waits.
        while await server.polls < 2 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(await server.polls == 2)
        await server.advance(job.jobId, by: 100)
        #expect(try await following.value.isLast)
    }

    @Test("a client that polls uses a refreshed token from its next poll on")
    func refreshedWhilePolling() async throws {
        let server = FakeServer(steps: .manual)
        let client = client(server, TestClock(), [.polling])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        let following = Task { try await client.events(of: job.jobId).last() }
        await server.waitingPolls(1)
        try await client.refreshToken(of: job.jobId)
        await server.advance(job.jobId)
        await server.waitingPolls(2)
        await server.advance(job.jobId, by: 100)
        #expect(try await following.value.isLast)
    }

    @Test("a client reconnects with a refreshed token", arguments: [EventTransport.webSocket, .eventStream])
    func refreshedBeforeReconnect(transport: EventTransport) async throws {
        let server = FakeServer(steps: .manual)
        let client = client(server, TestClock(isInstant: true), [transport])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId)
        var seqs: [Int] = []
        for try await event in client.events(of: job.jobId) {
            seqs.append(event.seq)
            guard event.seq == 2 else { continue }
            try await client.refreshToken(of: job.jobId)
            await server.cut()
            await server.advance(job.jobId, by: 100)
        }
        #expect(seqs == Array(1...42))
    }

    @Test("following a job that the server no longer stores fails with an error", arguments: EventTransport.allCases)
    func forgotten(transport: EventTransport) async throws {
        let server = FakeServer(steps: .manual)
        let client = client(server, TestClock(), [transport])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId)
        let code: BookstrackError.Code = transport == .polling ? .unauthorized : .notFound
        await #expect {
            for try await event in client.events(of: job.jobId) where event.seq == 2 { await server.forget(job.jobId) }
        } throws: {
            ($0 as? BookstrackError)?.code == code
        }
    }

    @Test("following a failed or cancelled job ends with that outcome", arguments: [true, false])
    func otherEnds(fails: Bool) async throws {
        let server = FakeServer(steps: .manual)
        let client = client(server, TestClock(isInstant: true))
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId, by: 3)
        if fails {
            await server.fail(job.jobId, .enrichmentFailed)
        } else {
            try await client.cancel(job.jobId)
        }
        let end = try await client.events(of: job.jobId).last()
        if case .failed(let error) = end.content {
            #expect(fails)
            #expect(error.code.rawValue == "E_ENRICHMENT_FAILED")
        } else {
            #expect(end.content == .cancelled)
            #expect(!fails)
        }
    }

    @Test("a connection is pinged after 30 s, and the round trip is reported")
    func pings() async throws {
        let server = FakeServer(steps: .manual)
        let (clock, statuses) = (TestClock(), Statuses())
        let client = client(server, clock)
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId)
        let following = Task { try await client.events(of: job.jobId) { statuses.add($0) }.last() }
        // A connection that is silent at its opening deadline is abandoned.
        await statuses.wait { if case .connected = $0 { true } else { false } }
        await clock.sleepersArrive()
        clock.advance(by: .seconds(15))
        await clock.sleepersArrive()
        clock.advance(by: .seconds(30))
        await statuses.wait { if case .roundTrip = $0 { true } else { false } }
        await server.advance(job.jobId, by: 100)
        #expect(try await following.value.isLast)
    }

    @Test(
        "improved results are reported after the job's end until the server closes the connection",
        arguments: [EventTransport.webSocket, .eventStream])
    func results(transport: EventTransport) async throws {
        let server = FakeServer()
        let client = client(server, TestClock(), [transport])
        let job = try await client.startEnrichment(isbns: Self.isbns)
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
        let client = client(server, TestClock(), [transport])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        let end = try await client.events(of: job.jobId).last()
        let events = client.events(of: job.jobId, from: .after(end.seq), followsResults: true) { statuses.add($0) }
        let following = Task { try await events.reduce(into: [JobEvent.Content]()) { $0.append($1.content) } }
        await statuses.wait { if case .received = $0 { true } else { false } }
        await server.improve(job.jobId, rows: 3)
        while await !server.calls.contains("GET /v1/jobs/\(job.jobId)") { await Task.yield() }
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
    func acknowledgement(followsResults: Bool) async throws {
        let server = SentMessages(of: FakeServer())
        let client = client(server, TestClock(), [.webSocket])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        let end = try await client.events(of: job.jobId, followsResults: followsResults).last()
        let sent = #"{"type":"ack","seq":\#(end.seq)}"#
        while await !server.texts.contains(sent) { await Task.yield() }
    }

    @Test("results that improve while the connection is broken are reported after the reconnect")
    func missedResults() async throws {
        let server = FakeServer()
        let client = client(server, TestClock(isInstant: true), [.eventStream])
        let job = try await client.startEnrichment(isbns: Self.isbns)
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

    @Test("the client retries an unreachable server with increasing pauses")
    func offline() async throws {
        let server = FakeServer(steps: .manual)
        let statuses = Statuses()
        // With an instant clock, attempts may time out before their first message is read; the last transport skips events.
        let client = client(server, TestClock(isInstant: true), [.webSocket])
        let job = try await client.startEnrichment(isbns: Self.isbns)
        await server.advance(job.jobId)
        var seqs: [Int] = []
        for try await event in client.events(of: job.jobId, onConnection: { statuses.add($0) }) {
            seqs.append(event.seq)
            guard event.seq == 2 else { continue }
            await server.setOffline(true)
            await statuses.wait { if case .disconnected(_, let pause) = $0 { pause > .seconds(8) } else { false } }
            await server.advance(job.jobId, by: 100)
            await server.setOffline(false)
        }
        #expect(seqs == Array(1...42))
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

extension FakeServer {
    /// Number of requests for the state of a job.
    fileprivate var polls: Int { calls.count { $0.hasPrefix("GET /v1/jobs/") } }

    /// Returns once this number of polls have begun to wait for an event.
    fileprivate func waitingPolls(_ count: Int) async {
        while calls.count(where: { $0.contains("?wait=") }) < count { await Task.yield() }
    }
}

/// Collects the reported states of a connection.
final class Statuses: Sendable {
    private let added: AsyncStream<ConnectionStatus>
    private let source: AsyncStream<ConnectionStatus>.Continuation
    private let collected = Collected()

    init() { (added, source) = AsyncStream.makeStream() }

    var all: [ConnectionStatus] { collected.all }

    func add(_ status: ConnectionStatus) {
        collected.add(status)
        source.yield(status)
    }

    /// Returns once a status that satisfies `isMeant` has been reported.
    func wait(for isMeant: @Sendable (ConnectionStatus) -> Bool) async {
        for await status in added where isMeant(status) { return }
    }
}

/// A list protected by a lock. Sendable because the list is only accessed while the lock is held.
private final class Collected: @unchecked Sendable {
    private let lock = NSLock()
    private var statuses: [ConnectionStatus] = []

    var all: [ConnectionStatus] { lock.withLock { statuses } }

    func add(_ status: ConnectionStatus) { lock.withLock { statuses.append(status) } }
}
