import BookstrackContract
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

/// Sockets that outlive the host (Services/README.md rule 5).
@Suite("Resumed sockets")
struct ResumeTests {
    private func live(
        _ host: TestHost, _ id: JobID = TestHost.jobID, token: Int64? = 1, lastSeq: Int, begun: Bool = true,
        v1: Bool = false, reconnect: Bool = false, since: Int? = nil
    ) -> ResumeSockets.LiveSocket {
        ResumeSockets.LiveSocket(
            socket: host.nextSocket(), jobId: id, tokenNumber: token, lastSeq: lastSeq, begun: begun, v1: v1,
            reconnect: reconnect, since: since)
    }

    @Test("a resumed socket continues after the last event it was sent, and its client notices nothing")
    func goesOn() throws {
        let host = try TestHost()
        let job = try host.create(books: 100)
        var worker = try TestWorker(host)
        let items = try worker.claim()
        for item in items[..<8] {
            try worker.record([item])
            host.advance(by: .seconds(1))
        }
        let last = try host.state(token: job.token).lastSeq
        try host.restart()
        worker = try TestWorker(host)
        let socket = live(host, lastSeq: last - 3)
        try host.resume(socket)
        #expect(host.proxy.take(socket.socket).seqs == [last - 2, last - 1, last])
        // Resuming the socket again changes only its position in the stream.
        var again = socket
        again.lastSeq = last
        try host.resume(again)
        #expect(host.proxy.take(socket.socket).isEmpty)
        try worker.record(try worker.claim(limit: 1))
        host.advance(by: .seconds(1))
        #expect(host.proxy.take(socket.socket).seqs.first == last + 1)
        #expect(host.openSockets == 1)
    }

    @Test(
        "a socket whose job ended in the meantime receives the terminal frame, unless it is a v1 socket that already has it, and closes"
    )
    func endedMeanwhile() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let last = try host.state(token: job.token).lastSeq
        try host.restart()
        let behind = live(host, lastSeq: last - 1), done = live(host, lastSeq: last)
        let v1Behind = live(host, lastSeq: last - 1, v1: true), v1Done = live(host, lastSeq: last, v1: true)
        try host.resume(behind, done, v1Behind, v1Done)
        #expect(host.proxy.take(behind.socket).story == ["job_complete", "close 1000"])
        // The last frame sent to `done` may have been `reconnected`; api-proxy forwards a terminal frame only once.
        #expect(host.proxy.take(done.socket).story == ["job_complete", "close 1000"])
        #expect(host.proxy.take(v1Behind.socket).story == ["complete", "close 1000"])
        #expect(host.proxy.take(v1Done.socket).story == ["close 1000"])
    }

    @Test("a socket whose job is no longer stored receives the reason and is closed with 1011")
    func unknownJob() throws {
        let host = try TestHost()
        let socket = live(host, JobID("no-such-job")!, lastSeq: 4)
        let v1 = live(host, JobID("no-such-job")!, lastSeq: 4, v1: true)
        try host.resume(socket, v1)
        let received = host.proxy.take(socket.socket)
        #expect(received.story == ["error", "close 1011"])
        #expect(received.frames[0].payload?["error"]?["code"]?.text == "JOB_NOT_FOUND")
        #expect(received.frames[0].payload?["retryable"]?.flag == false)
        let old = host.proxy.take(v1.socket)
        #expect(old.story == ["progress", "close 1011"])
        #expect(old.frames[0].content?["error"]?.text == "the job is no longer stored")
        #expect(host.openSockets == 0)
    }

    @Test("a socket whose token was revoked is closed with 1008, and one whose token has expired continues")
    func tokens() throws {
        let host = try TestHost()
        try host.create(books: 10)
        let expired = live(host, lastSeq: 0)
        host.advance(by: .seconds(8_000))
        try host.resume(expired)
        #expect(host.proxy.take(expired.socket).close == nil)
        try host.perform { _, turn in try turn.db.execute(sql: "UPDATE token SET revoked = 1") }
        let revoked = live(host, lastSeq: 0)
        try host.resume(revoked)
        let received = host.proxy.take(revoked.socket)
        #expect(received.story == ["error", "close 1008"])
        #expect(received.frames[0].payload?["error"]?["code"]?.text == "INVALID_TOKEN")
    }

    @Test("a socket whose token a restored database lacks does not use another job's token of the same number")
    func reusedNumber() throws {
        let host = try TestHost()
        try host.create(books: 10)
        let other = try host.create(JobID("other-job")!, books: 10)
        _ = try TestWorker(host).claim()
        let socket = live(host, token: 2, lastSeq: 0)
        try host.resume(socket)
        #expect(host.proxy.take(socket.socket).types == ["job_started"])
        try host.say(#"{"type":"ack","seq":1}"#, on: socket.socket)
        #expect(try host.state(JobID("other-job")!, token: other.token).delivered == nil)
    }

    @Test(
        "a socket whose stream had not begun waits for ready again, but not as long, unless it was opened with reconnect or since"
    )
    func notBegun() throws {
        let host = try TestHost()
        try host.create(books: 10)
        _ = try TestWorker(host).claim()
        let fresh = live(host, lastSeq: 0, begun: false)
        let reconnecting = live(host, lastSeq: 0, begun: false, reconnect: true)
        let since = live(host, lastSeq: 0, begun: false, since: 0)
        try host.resume(fresh, reconnecting, since)
        #expect(host.proxy.take(fresh.socket).isEmpty)
        #expect(host.proxy.take(reconnecting.socket).types == ["reconnected"])
        #expect(host.proxy.take(since.socket).types == ["reconnected", "job_started"])
        host.advance(by: .milliseconds(2_499))
        #expect(host.proxy.take(fresh.socket).isEmpty)
        host.advance(by: .milliseconds(1))
        #expect(host.proxy.take(fresh.socket).types == ["job_started"])
    }

    @Test("a client that was ready need not send ready again, and receives every event that it has not seen")
    func wasReady() throws {
        let host = try TestHost()
        try host.create(books: 10)
        let ready = live(host, lastSeq: 0)
        let since = live(host, lastSeq: 0, since: 0)
        try host.resume(ready, since)
        _ = try TestWorker(host).claim()
        #expect(host.proxy.take(ready.socket).types == ["job_started"])
        #expect(host.proxy.take(since.socket).types == ["reconnected", "job_started"])
    }

    @Test("a tokenless socket waiting for its job continues to wait")
    func awaiting() throws {
        var policy = HostPolicy()
        policy.tokenlessAllowed = true
        let host = try TestHost(policy)
        let socket = live(host, token: nil, lastSeq: 0, begun: false, v1: true)
        try host.resume(socket)
        #expect(host.proxy.take(socket.socket).isEmpty)
        try host.create(books: 2)
        #expect(host.proxy.take(socket.socket).types == ["progress"])
    }

    @Test("events of items and other events are replayed in the order in which they were sent")
    func mixedEvents() throws {
        let host = try TestHost()
        try host.create(books: 3)
        let (live, worker) = (live(host, lastSeq: 0), try TestWorker(host))
        try host.resume(live)
        let items = try worker.claim()
        try worker.record([items[0]])
        host.advance(by: .seconds(1))
        try host.perform { engine, turn in try engine.push("Checking covers", to: TestHost.jobID, turn) }
        host.advance(by: .seconds(1))
        try worker.record([items[1]])
        let sent = host.proxy.take(live.socket)
        #expect(sent.types == ["job_started", "job_progress", "job_progress", "job_progress"])
        for restarts in [false, true] {
            if restarts { try host.restart() }
            let late = self.live(host, lastSeq: 0, since: 0)
            try host.resume(late)
            let replayed = host.proxy.take(late.socket).frames.dropFirst()
            #expect(replayed.map(\.seq) == sent.frames.map(\.seq))
            #expect(replayed.map(\.bytes) == sent.frames.map(\.bytes))
        }
    }

    @Test("a resumed client whose missed events are no longer stored receives the state instead")
    func gap() throws {
        var policy = HostPolicy()
        policy.eventsKept = 4
        let host = try TestHost(policy)
        try host.create(books: 100)
        let worker = try TestWorker(host)
        for item in try worker.claim()[..<20] {
            try worker.record([item])
            host.advance(by: .seconds(1))
        }
        let socket = live(host, lastSeq: 2)
        try host.resume(socket)
        #expect(host.proxy.take(socket.socket).types == ["reconnected"])
    }
}
