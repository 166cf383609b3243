import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// The rules in websocket.md "Connection lifetime", line by line.
@Suite("Connection lifetime")
struct ConnectionLifeTests {
    @Test(
        "a first connection receives ready_ack, job_started and the newest progress, then live events without gaps, then the end"
    )
    func firstConnection() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.recordOneByOne(Array(items[..<4]))
        let socket = try host.open(token: job.token)
        #expect(host.proxy.take(socket).isEmpty)
        try host.say(#"{"type":"ready"}"#, on: socket)
        let beginning = host.proxy.take(socket)
        #expect(beginning.types == ["ready_ack", "job_started", "job_progress"])
        #expect(beginning.frames[2].payload?["processedCount"]?.integer == 3)
        for item in items[4...] {
            try worker.record([item])
            host.advance(by: .seconds(1))
        }
        let rest = host.proxy.take(socket)
        #expect(rest.seqs == Array((beginning.seqs.last! + 1)..<(beginning.seqs.last! + 1 + rest.seqs.count)))
        #expect(Array(rest.story.suffix(2)) == ["job_complete", "close 1000"])
        #expect(rest.frames.filter { $0.kind == .terminal }.count == 1)
    }

    @Test("a client that never sends ready receives its stream after five seconds")
    func readyTimeout() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        let socket = try host.open(token: job.token)
        host.advance(by: .milliseconds(4_999))
        #expect(host.proxy.take(socket).isEmpty)
        host.advance(by: .milliseconds(1))
        #expect(host.proxy.take(socket).types == ["job_started"])
    }

    @Test("a ready message that arrives after the stream has started is only acknowledged")
    func lateReady() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let socket = try host.open(token: job.token)
        host.advance(by: .seconds(5))
        _ = host.proxy.take(socket)
        try host.say(#"{"type":"ready"}"#, on: socket)
        try host.say(#"{"type":"ready"}"#, on: socket)
        #expect(host.proxy.take(socket).types == ["ready_ack", "ready_ack"])
    }

    @Test("a client that reconnects receives the current state immediately, and then live events")
    func reconnect() throws {
        let host = try TestHost()
        let job = try host.create(books: 100)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record(Array(items[..<65]))
        let socket = try host.open(token: job.token, reconnect: true)
        let beginning = host.proxy.take(socket)
        #expect(beginning.types == ["reconnected"])
        let payload = try #require(beginning.frames[0].payload)
        #expect(payload["processedCount"]?.integer == 65)
        #expect(payload["processed_count"]?.integer == 65)
        #expect(payload["total_count"]?.integer == 100)
        #expect(payload["status"]?.text == "processing")
        #expect(payload["progress"] == .number(0.65))
        #expect(payload["recovered"]?.flag == false)
        host.advance(by: .seconds(1))
        _ = host.proxy.take(socket)
        try worker.record([items[65]])
        #expect(host.proxy.take(socket).types == ["job_progress"])
    }

    @Test("a client that connects with since receives every later event in order, exactly once")
    func recovered() throws {
        let host = try TestHost()
        let job = try host.create(books: 100)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        for item in items[..<20] {
            try worker.record([item])
            host.advance(by: .seconds(1))
        }
        let last = try host.state(token: job.token).lastSeq
        for since in 0...last {
            let received = host.proxy.take(try host.open(token: job.token, since: since))
            #expect(received.types.first == "reconnected")
            #expect(received.frames[0].json["seq"]?.integer == since)
            #expect(received.frames[0].payload?["recovered"]?.flag == true)
            #expect(received.seqs == Array(since..<last).map { $0 + 1 })
        }
    }

    @Test(
        "a client whose since is no longer stored, lies in the future or is invalid receives the state instead of past events",
        arguments: [-1, Int.min, 3, 12_000, Int.max])
    func notRecovered(since: Int) throws {
        var policy = HostPolicy()
        policy.eventsKept = 8
        let host = try TestHost(policy)
        let job = try host.create(books: 100)
        let worker = try TestWorker(host)
        for item in try worker.claim()[..<30] {
            try worker.record([item])
            host.advance(by: .seconds(1))
        }
        let last = try host.state(token: job.token).lastSeq
        let received = host.proxy.take(try host.open(token: job.token, since: since))
        #expect(received.types == ["reconnected"])
        #expect(received.frames[0].payload?["recovered"]?.flag == false)
        #expect(received.frames[0].json["seq"]?.integer == last)
        let first = host.proxy.take(try host.watch(token: job.token))
        #expect(first.types == ["ready_ack", "job_started", "job_progress"])
        #expect(first.frames[2].seq == last)
    }

    @Test("after the job's end, a new connection receives the terminal frame and the close")
    func jobIsOver() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let last = try host.state(token: job.token).lastSeq
        let fresh = try host.open(token: job.token)
        #expect(host.proxy.take(fresh).isEmpty)
        try host.say(#"{"type":"ready"}"#, on: fresh)
        #expect(host.proxy.take(fresh).story == ["ready_ack", "job_complete", "close 1000"])
        let silent = try host.open(token: job.token)
        host.advance(by: .seconds(5))
        #expect(host.proxy.take(silent).story == ["job_complete", "close 1000"])
        let reconnect = try host.open(token: job.token, reconnect: true)
        #expect(host.proxy.take(reconnect).story == ["reconnected", "job_complete", "close 1000"])
        let since = try host.open(token: job.token, since: last - 1)
        #expect(host.proxy.take(since).story == ["reconnected", "job_complete", "close 1000"])
        let known = try host.open(token: job.token, since: last)
        #expect(host.proxy.take(known).story == ["reconnected", "job_complete", "close 1000"])
    }

    @Test("a client that is not ready when the job ends receives the terminal frame when its stream begins")
    func endsWhileWaiting() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.open(token: job.token)
        try worker.record(items)
        #expect(host.proxy.take(socket).isEmpty)
        host.advance(by: .seconds(5))
        #expect(host.proxy.take(socket).story == ["job_complete", "close 1000"])
    }

    @Test("several watchers receive the same numbered frames, and one that leaves does not affect the others")
    func watchers() throws {
        let host = try TestHost()
        let job = try host.create(books: 50)
        let worker = try TestWorker(host)
        let sockets = try (0..<3).map { _ in try host.watch(token: job.token) }
        let items = try worker.claim()
        try worker.recordOneByOne(Array(items[..<25]))
        try host.closed(sockets[1])
        try worker.recordOneByOne(Array(items[25...]))
        let first = host.proxy.take(sockets[0]), third = host.proxy.take(sockets[2])
        #expect(first.seqs == third.seqs)
        #expect(first.frames.dropFirst().map(\.bytes) == third.frames.dropFirst().map(\.bytes))
        #expect(first.close == .normal)
        #expect(third.close == .normal)
        #expect(host.openSockets == 2)
    }

    @Test("a client that was ready once need not send ready on another connection, even if its token was refreshed")
    func readinessIsRemembered() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let other = try host.create(books: 10)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        _ = try host.watch(token: job.token)
        #expect(host.proxy.take(try host.open(token: job.token)).types == ["job_started"])
        #expect(host.proxy.take(try host.open(token: other.token)).isEmpty)
        host.advance(by: .seconds(5_400))
        let rotated = try host.refresh(token: job.token)
        #expect(host.proxy.take(try host.open(token: rotated.token)).types.first == "job_started")
    }

    @Test("a client's readiness survives the end of its job and a restart of the host")
    func readinessIsStored() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let other = try host.create(books: 1)
        _ = try host.watch(token: job.token)
        try host.restart()
        let worker = try TestWorker(host)
        let items = try worker.claim()
        #expect(host.proxy.take(try host.open(token: job.token)).types == ["job_started"])
        #expect(host.proxy.take(try host.open(token: other.token)).isEmpty)
        try worker.record(items)
        #expect(host.proxy.take(try host.open(token: job.token)).story == ["job_complete", "close 1000"])
        #expect(host.proxy.take(try host.open(token: other.token)).isEmpty)
    }

    @Test("a watcher of a pending job receives job_started live, once")
    func pending() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let socket = try host.watch(token: job.token)
        #expect(host.proxy.take(socket).types == ["ready_ack"])
        _ = try TestWorker(host).claim()
        let live = host.proxy.take(socket)
        #expect(live.types == ["job_started"])
        #expect(live.frames[0].payload?["totalItems"]?.integer == 10)
    }

    @Test("a client that disconnects does not cancel its job")
    func disconnect() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let items = try worker.claim()
        try host.closed(socket)
        host.advance(by: .seconds(61))
        try worker.record(items)
        #expect(try host.state(token: job.token).status == .completed)
    }

    @Test("an api-proxy that disconnects loses only its own sockets")
    func proxyIsGone() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        _ = try host.watch(token: job.token)
        let other = RecordingLink()
        try host.perform(writes: false) { engine, turn in
            _ = try engine.connections.open(
                SocketID(1), SocketRequest(jobId: job.jobId, token: job.token, reconnect: true, since: nil, v1: false),
                from: other, turn)
        }
        let gone = host.proxy.id
        try host.perform(writes: false) { engine, _ in engine.disconnected(gone) }
        #expect(host.openSockets == 1)
        _ = other.take(SocketID(1))
        let worker = try TestWorker(host)
        try worker.record(worker.claim())
        #expect(other.take(SocketID(1)).story.last == "close 1000")
    }
}
