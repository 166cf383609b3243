import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Socket heartbeat and keep-alive")
struct HeartbeatDeliveryTests {
    /// Keep-alives are so far apart that none is sent during a test.
    private static var withoutKeepAlive: HostPolicy {
        var policy = HostPolicy()
        policy.keepAliveInterval = .seconds(3_600)
        return policy
    }

    @Test("a silent peer is pinged 30 s and 60 s after its last byte and dropped after 90 s")
    func silence() throws {
        let host = try TestHost(Self.withoutKeepAlive)
        let socket = try host.watch(token: host.create(books: 1).token)
        _ = host.proxy.take(socket)
        host.advance(by: .milliseconds(29_999))
        #expect(host.proxy.take(socket).isEmpty)
        host.advance(by: .milliseconds(1))
        let ping = host.proxy.take(socket)
        #expect(ping.types == ["ping"])
        #expect(ping.frames[0].kind == .ping)
        host.advance(by: .seconds(30))
        #expect(host.proxy.take(socket).types == ["ping"])
        host.advance(by: .milliseconds(29_999))
        #expect(host.proxy.take(socket).isEmpty)
        host.advance(by: .milliseconds(1))
        #expect(host.proxy.take(socket).close == .tryAgainLater)
        host.advance(by: .seconds(600))
        #expect(host.proxy.take(socket).isEmpty)
        #expect(host.openSockets == 0)
    }

    @Test("any byte from the peer postpones the ping")
    func alive() throws {
        let host = try TestHost(Self.withoutKeepAlive)
        let socket = try host.watch(token: host.create(books: 1).token)
        _ = host.proxy.take(socket)
        for _ in 0..<20 {
            host.advance(by: .seconds(29))
            try host.alive(socket)
        }
        #expect(host.proxy.take(socket).isEmpty)
    }

    @Test(
        "a running job with no events sends each watcher a keep-alive every seven seconds, and seq does not increase")
    func keepAlive() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        // Watchers that connect and disconnect must not multiply the timer.
        for _ in 0..<5 { try host.closed(try host.watch(token: job.token)) }
        let socket = try host.watch(token: job.token)
        _ = host.proxy.take(socket)
        let before = try host.state(token: job.token).lastSeq
        host.advance(by: .milliseconds(6_999))
        #expect(host.proxy.take(socket).isEmpty)
        host.advance(by: .milliseconds(1 + 7_000))
        let received = host.proxy.take(socket)
        #expect(received.types == ["job_progress", "job_progress"])
        #expect(received.frames.allSatisfy { $0.payload?["keepAlive"]?.flag == true && $0.kind == .control })
        #expect(received.frames.allSatisfy { $0.json["seq"]?.integer == before })
        #expect(try host.state(token: job.token).lastSeq == before)
    }

    @Test("events postpone the keep-alive")
    func eventsPostpone() throws {
        let host = try TestHost()
        let job = try host.create(books: 100)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.watch(token: job.token)
        for item in items[..<10] {
            host.advance(by: .seconds(6))
            try worker.record([item])
        }
        #expect(host.proxy.take(socket).frames.contains { $0.payload?["keepAlive"] != nil } == false)
    }

    @Test("a job that waits to be started sends keep-alives, too", arguments: [Pipeline.batchEnrichment, .aiScan])
    func pending(pipeline: Pipeline) throws {
        let host = try TestHost()
        let token = try pipeline == .aiScan ? host.startScan().token : host.create(books: 10).token
        let socket = try host.watch(token: token)
        let old = try host.open(token: token, v1: true)
        for socket in [socket, old] { _ = host.proxy.take(socket) }
        host.advance(by: .seconds(25))
        let received = host.proxy.take(socket).frames
        #expect(received.map { $0.payload?["keepAlive"]?.flag } == [true, true, true])
        #expect(received.map { $0.json["seq"]?.integer } == [0, 0, 0])
        #expect(received.allSatisfy { StatusText.isNeutral($0.payload?["status"]?.text ?? "failed") })
        #expect(host.proxy.take(old).frames.map { $0.content?["keepAlive"]?.flag } == [true, true, true])
        #expect(try host.state(token: token).status == .pending)
    }

    @Test("a client that never sends ready receives a frame within six seconds, even if its job has not been started")
    func pendingWithoutReady() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        _ = try host.watch(token: job.token)
        host.advance(by: .seconds(3))
        // The job's next keep-alive is due shortly before this client's stream begins. The client has its own token, because a further connection with
        // the first token would not wait for `ready`.
        let silent = try host.open(token: try host.create(books: 10).token)
        host.advance(by: .seconds(6))
        #expect(host.proxy.take(silent).frames.map { $0.payload?["keepAlive"]?.flag } == [true])
        host.advance(by: .milliseconds(6_999))
        #expect(host.proxy.take(silent).frames.count == 1)
    }

    @Test(
        "after a restart, a resumed socket that has missed nothing receives a keep-alive within a second",
        arguments: [false, true])
    func restart(isPending: Bool) throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        if !isPending { _ = try TestWorker(host).claim() }
        let last = try host.state(token: job.token).lastSeq
        // The host is killed shortly before the next keep-alive.
        host.advance(by: .milliseconds(6_300))
        try host.restart()
        let sockets = [false, true].map { v1 in
            ResumeSockets.LiveSocket(
                socket: host.nextSocket(), jobId: job.jobId, tokenNumber: 1, lastSeq: last, begun: true, v1: v1,
                reconnect: false, since: nil)
        }
        for socket in sockets { try host.resume(socket) }
        host.advance(by: .seconds(1))
        let (current, v1) = (host.proxy.take(sockets[0].socket).frames, host.proxy.take(sockets[1].socket).frames)
        #expect(current.map { $0.payload?["keepAlive"]?.flag } == [true])
        #expect(v1.map { $0.content?["keepAlive"]?.flag } == [true])
        host.advance(by: .milliseconds(5_999))
        #expect(host.proxy.take(sockets[0].socket).isEmpty)
        host.advance(by: .seconds(1))
        #expect(host.proxy.take(sockets[0].socket).types == ["job_progress"])
    }

    @Test("after a restart, a job whose event has just been sent to a resumed socket sends no keep-alive")
    func restartWithEvents() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        _ = try TestWorker(host).claim()
        let last = try host.state(token: job.token).lastSeq
        try host.restart()
        let socket = ResumeSockets.LiveSocket(
            socket: host.nextSocket(), jobId: job.jobId, tokenNumber: 1, lastSeq: last, begun: true, v1: false,
            reconnect: false, since: nil)
        try host.resume(socket)
        let worker = try TestWorker(host)
        try worker.record([worker.claim()[0]])
        host.advance(by: .seconds(1))
        let keepAlives = host.proxy.take(socket.socket).frames.filter { $0.payload?["keepAlive"] != nil }
        #expect(keepAlives.isEmpty)
    }

    @Test("10 000 idle sockets have 10 000 sessions and hardly more timers, which are removed when the sockets close")
    func manySockets() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let sockets = (0..<10_000).map { _ in host.nextSocket() }
        try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            for socket in sockets {
                _ = try engine.connections.open(
                    socket, SocketRequest(jobId: job.jobId, token: job.token, reconnect: true, since: nil, v1: false),
                    from: proxy, turn)
            }
        }
        #expect(host.openSockets == 10_000)
        let timers = host.timerCount
        #expect(timers < 10_010)
        host.advance(by: .seconds(31))
        #expect(host.timerCount <= timers)
        #expect(MemoryLayout<SocketSession>.stride <= 256)
        let peer = host.proxy.id
        try host.perform(writes: false) { engine, _ in engine.disconnected(peer) }
        #expect(host.openSockets == 0)
        #expect(host.timerCount < 10)
    }
}
