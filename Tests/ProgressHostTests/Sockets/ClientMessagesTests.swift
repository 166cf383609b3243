import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// The messages in websocket.md "Client messages", sent through the engine.
@Suite("Client messages")
struct ClientMessagesTests {
    @Test("a ping is answered immediately with the client's time and the latency")
    func ping() throws {
        let host = try TestHost()
        let socket = try host.watch(token: host.create(books: 1).token)
        _ = host.proxy.take(socket)
        let now = MovedEngineClock.start.wall
        try host.say(#"{"type":"ping","payload":{"clientTime":\#(now - 42)}}"#, on: socket)
        let pong = try #require(host.proxy.take(socket).frames.first)
        #expect(pong.type == "pong")
        #expect(pong.payload?["clientTime"]?.integer == Int(now - 42))
        #expect(pong.payload?["latency"]?.integer == 42)
    }

    @Test(
        "a ping with any value as its client time is answered with a pong that contains no nulls",
        arguments: ["9223372036854775807", "-9223372036854775808", "0", "-1", "1e300", "1.5", "null", "\"x\""])
    func oddClocks(clientTime: String) throws {
        let host = try TestHost()
        let socket = try host.watch(token: host.create(books: 1).token)
        _ = host.proxy.take(socket)
        try host.say(#"{"type":"ping","payload":{"clientTime":\#(clientTime)}}"#, on: socket)
        let pong = try #require(host.proxy.take(socket).frames.first)
        #expect(pong.type == "pong")
        #expect(pong.json.hasNull == false)
    }

    @Test("a sync_request is answered with the current state, even before the stream has started")
    func syncRequest() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        _ = try TestWorker(host).claim()
        let socket = try host.open(token: job.token)
        try host.say(#"{"type":"sync_request"}"#, on: socket)
        #expect(host.proxy.take(socket).types == ["job_started", "reconnected"])
        try host.say(#"{"type":"sync_request"}"#, on: socket)
        #expect(host.proxy.take(socket).types == ["reconnected"])
    }

    @Test("after the socket of an ended job is closed, nothing more is sent")
    func syncAfterTheEnd() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let socket = try host.open(token: job.token)
        try host.say(#"{"type":"sync_request"}"#, on: socket)
        try host.say(#"{"type":"ready"}"#, on: socket)
        #expect(host.proxy.take(socket).story == ["job_complete", "close 1000"])
    }

    @Test("getJobStatus is answered in the v1 dialect, and the connection keeps using that dialect")
    func getJobStatus() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.open(token: job.token)
        try host.say(#"{"action":"getJobStatus","jobId":"job-under-test"}"#, on: socket)
        let answer = host.proxy.take(socket)
        #expect(answer.types == ["progress"])
        #expect(answer.frames[0].content?["totalItems"]?.integer == 10)
        try worker.record([items[0]])
        #expect(host.proxy.take(socket).types == ["progress"])
    }

    @Test("a text PING is answered with a text PONG")
    func textPing() throws {
        let host = try TestHost()
        let socket = try host.watch(token: host.create(books: 1).token)
        _ = host.proxy.take(socket)
        try host.say("PING", on: socket)
        let frame = try #require(host.proxy.take(socket).frames.first)
        #expect(frame.kind == .text)
        #expect(frame.json == .text("PONG"))
    }

    @Test("messages with an unknown type or action are ignored and counted")
    func unknown() throws {
        let host = try TestHost()
        let socket = try host.watch(token: host.create(books: 1).token)
        _ = host.proxy.take(socket)
        try host.say(#"{"type":"dance"}"#, on: socket)
        try host.say(#"{"type":"pong"}"#, on: socket)
        #expect(host.proxy.take(socket).isEmpty)
        try host.say(#"{"action":"dance"}"#, on: socket)
        #expect(host.number("bookstrack_unknown_messages_total") == 2)
    }

    @Test(
        "a malformed message closes the socket with 1002 and a reason, but neither ends the job nor revokes its token",
        arguments: [
            "", "nonsense", "{", "[]", "\"ready\"", "5", "null", "{}", #"{"type":5}"#, #"{"typ":"ready"}"#,
            String(repeating: "[", count: 60_000),
        ])
    func malformed(text: String) throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let socket = try host.watch(token: job.token)
        _ = host.proxy.take(socket)
        try host.say(text, on: socket)
        let received = host.proxy.take(socket)
        #expect(received.story == ["close 1002"])
        #expect(received == [.close(.protocolError, reason: received.reason)])
        #expect(!received.reason.isEmpty)
        try host.say(#"{"type":"ready"}"#, on: socket)
        #expect(host.proxy.take(socket).isEmpty)
        #expect(try host.state(token: job.token).status == .pending)
        #expect(host.proxy.take(try host.open(token: job.token, reconnect: true)).types == ["reconnected"])
    }

    @Test(
        "cancelling a job from the socket sends a terminal frame that reports the cancellation, and closes with 1001",
        arguments: ["cancel", "cancel_batch"])
    func cancel(type: String) throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.watch(token: job.token)
        _ = host.proxy.take(socket)
        try host.say(#"{"type":"\#(type)"}"#, on: socket)
        try host.say(#"{"type":"\#(type)"}"#, on: socket)
        let received = host.proxy.take(socket)
        #expect(received.story == ["job_progress", "close 1001"])
        #expect(received.frames[0].payload?["status"]?.text == "job_cancelled")
        #expect(received.frames[0].kind == .terminal)
        #expect(worker.link.takeWithdrawn() == [job.jobId])
        try worker.record(items)
        #expect(try host.state(token: job.token).successCount == 0)
    }
}

extension [Received] {
    var reason: String {
        for case .close(_, let reason) in self { return reason }
        return ""
    }
}
