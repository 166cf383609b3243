import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// The `seq` of frames that are not events: 0 or the number given as `since`, and later that of the last event sent on the connection
/// (websocket.md "Frames").
@Suite("Sequence numbers of frames that are not events")
struct FrameNumberTests {
    /// A job of 200 books with more than 40 events.
    private func longJob() throws -> (TestHost, CreatedJob) {
        let host = try TestHost()
        let job = try host.create(books: 200)
        let worker = try TestWorker(host)
        for item in try worker.claim()[..<40] {
            try worker.record([item])
            host.advance(by: .milliseconds(500))
        }
        return (host, job)
    }

    private func numbers(_ host: TestHost, _ socket: SocketID) -> [String?: Int?] {
        Dictionary(host.proxy.take(socket).frames.map { ($0.type, $0.json["seq"]?.integer) }) { $1 }
    }

    @Test("frames that are not events have seq 0 before a connection's first event, and then the last event's seq")
    func firstConnection() throws {
        let (host, job) = try longJob()
        let last = try host.state(token: job.token).lastSeq
        let socket = try host.open(token: job.token)
        try host.say(#"{"type":"ping"}"#, on: socket)
        #expect(numbers(host, socket) == ["pong": 0])
        try host.say(#"{"type":"ready"}"#, on: socket)
        #expect(numbers(host, socket) == ["ready_ack": 0, "job_started": 1, "job_progress": last])
        try host.say(#"{"type":"ready"}"#, on: socket)
        try host.say(#"{"type":"ping"}"#, on: socket)
        try host.say(#"{"type":"sync_request"}"#, on: socket)
        #expect(numbers(host, socket) == ["ready_ack": last, "pong": last, "reconnected": last])
        host.advance(by: .seconds(7))
        #expect(numbers(host, socket) == ["job_progress": last])
        host.advance(by: .seconds(23))
        #expect(numbers(host, socket)["ping"] == last)
    }

    @Test(
        "with since, frames that are not events have its number, or the last event's if lower, until an event follows")
    func since() throws {
        let (host, job) = try longJob()
        host.proxy.stall(at: 8 << 20)
        let socket = try host.open(token: job.token, since: 5)
        let future = try host.open(token: job.token, since: 1_000_000)
        for socket in [socket, future] { try host.say(#"{"type":"ready"}"#, on: socket) }
        #expect(numbers(host, socket) == ["ready_ack": 5])
        // If frames had the future `since` as their `seq`, it would have to decrease later.
        #expect(numbers(host, future) == ["ready_ack": try host.state(token: job.token).lastSeq])
        host.proxy.stall(at: 0)
        host.advance(by: .milliseconds(10))
        #expect(host.proxy.take(socket).frames[0].json["seq"]?.integer == 5)
        try host.say(#"{"type":"ping"}"#, on: socket)
        #expect(numbers(host, socket) == ["pong": 5 + 32])
        try host.caughtUp(socket)
        try host.say(#"{"type":"ping"}"#, on: socket)
        #expect(numbers(host, socket)["pong"] == (try host.state(token: job.token).lastSeq))
    }

    @Test("a restart of the host does not change the seq of frames that are not events", arguments: [0, 3])
    func resumed(lastSeq: Int) throws {
        let (host, job) = try longJob()
        try host.restart()
        host.proxy.stall(at: 8 << 20)
        let socket = host.nextSocket()
        try host.resume(
            ResumeSockets.LiveSocket(
                socket: socket, jobId: job.jobId, tokenNumber: 1, lastSeq: lastSeq, begun: true, v1: false,
                reconnect: false, since: nil))
        try host.say(#"{"type":"ping"}"#, on: socket)
        #expect(numbers(host, socket) == ["pong": lastSeq])
        host.proxy.stall(at: 0)
        host.advance(by: .milliseconds(10))
        #expect(host.proxy.take(socket).seqs.first == lastSeq + 1)
    }
}
