import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Socket heartbeat and keep-alive")
struct HeartbeatDeliveryTests {
    @Test("a silent peer is pinged 30 s and 60 s after its last byte and dropped after 90 s")
    func silence() throws {
        let host = try TestHost()
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
        let host = try TestHost()
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

    @Test("a job that is not running yet sends no keep-alive")
    func pending() throws {
        let host = try TestHost()
        let socket = try host.watch(token: host.create(books: 10).token)
        _ = host.proxy.take(socket)
        host.advance(by: .seconds(25))
        #expect(host.proxy.take(socket).isEmpty)
    }

    @Test("10 000 idle sockets have 10 000 sessions and hardly more timers, and none remain after they have closed")
    func manySockets() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let sockets = (0..<10_000).map { _ in host.nextSocket() }
        try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            for socket in sockets {
                _ = try engine.open(
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
