import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Testing

@Suite("Following a job: events, tokens and ends", .timeLimit(.minutes(1)))
struct FollowingTests {
    @Test(
        "every event arrives once and in order, even if connections break after every few frames",
        arguments: [EventTransport.webSocket, .eventStream], [1, 2, 3, 7])
    func cuts(transport: EventTransport, frames: Int) async throws {
        let server = FakeServer()
        await server.cut(everyFrames: frames + 1)
        let client = FollowedJobs.client(server, TestClock(isInstant: true), [transport])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        var seqs: [Int] = []
        for try await event in client.events(of: job.jobId) { seqs.append(event.seq) }
        #expect(seqs == Array(1...42))
    }

    @Test("live events arrive in order, even if every connection is cut", arguments: EventTransport.allCases)
    func liveCuts(transport: EventTransport) async throws {
        let server = FakeServer(steps: .manual)
        let client = FollowedJobs.client(server, TestClock(isInstant: true), [transport])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
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

    @Test("a job can be followed from any event or from its current state")
    func positions() async throws {
        let server = FakeServer()
        // With an instant clock, attempts may time out before their first message is read; the last transport skips events.
        let client = FollowedJobs.client(server, TestClock(isInstant: true), [.webSocket])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
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
        let client = FollowedJobs.client(server, TestClock(isInstant: true))
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
        try await client.tokens.save("wrong", of: job.jobId)
        await #expect { try await client.events(of: job.jobId).last() } throws: {
            ($0 as? BookstrackError)?.code == .unauthorized
        }
        try await client.tokens.remove(job.jobId)
        await #expect { try await client.events(of: job.jobId).last() } throws: {
            ($0 as? BookstrackError)?.code == .tokenMissing
        }
    }

    @Test("a client reconnects with a refreshed token", arguments: [EventTransport.webSocket, .eventStream])
    func refreshedBeforeReconnect(transport: EventTransport) async throws {
        let server = FakeServer(steps: .manual)
        let client = FollowedJobs.client(server, TestClock(isInstant: true), [transport])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
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
        let client = FollowedJobs.client(server, TestClock(), [transport])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
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
        let client = FollowedJobs.client(server, TestClock(isInstant: true))
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
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
        let client = FollowedJobs.client(server, clock)
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
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

    @Test("the client retries an unreachable server with increasing pauses")
    func offline() async throws {
        let server = FakeServer(steps: .manual)
        let statuses = Statuses()
        // With an instant clock, attempts may time out before their first message is read; the last transport skips events.
        let client = FollowedJobs.client(server, TestClock(isInstant: true), [.webSocket])
        let job = try await client.startEnrichment(isbns: FollowedJobs.isbns)
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
