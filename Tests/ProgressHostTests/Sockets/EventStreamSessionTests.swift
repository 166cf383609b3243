import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// Event streams are sockets whose client sends nothing (streams.md "Server-sent events").
@Suite("Event streams in the host")
struct EventStreamSessionTests {
    /// Opens an event stream; also returns the response to the opening.
    private func open(
        _ host: TestHost, token: String?, since: Int? = nil
    ) throws -> (SocketID, OpenSocket.Result) {
        let socket = host.nextSocket()
        let request = SocketRequest(
            jobId: TestHost.jobID, token: token ?? "", reconnect: false, since: since, v1: false, isOneWay: true)
        let result = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.connections.open(socket, request, from: proxy, turn)
        }
        return (socket, result)
    }

    @Test("the current state is sent immediately, without waiting for ready")
    func beginsAtOnce() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([worker.claim()[0]])
        let (stream, _) = try open(host, token: job.token)
        #expect(host.proxy.take(stream).story == ["job_started", "job_progress"])
    }

    @Test("without a token, a job's identifier is enough if it cannot be guessed")
    func byIdentifier() throws {
        let host = try TestHost()
        let id = try #require(JobID("8f14e45f-ceea-467f-9575-b1d3c2a4e0aa"))
        _ = try host.create(id, books: 3)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        let socket = host.nextSocket()
        _ = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.connections.open(socket, .tokenless(id), from: proxy, turn)
        }
        #expect(host.proxy.take(socket).story == ["job_started"])
        _ = try host.create(books: 3)
        #expect(throws: HostFailure.unauthorized) {
            try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
                try engine.connections.open(SocketID(99), .tokenless(TestHost.jobID), from: proxy, turn)
            }
        }
    }

    @Test("an operator can open any job's stream without a token, but not an unknown job's")
    func ofOperator() throws {
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        let socket = host.nextSocket()
        func open(_ request: SocketRequest) throws {
            _ = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
                try engine.connections.open(socket, request, from: proxy, turn)
            }
        }
        try open(.ofOperator(TestHost.jobID))
        #expect(host.proxy.take(socket).story == ["job_started"])
        let unknown = try #require(JobID("job-unknown"))
        #expect(throws: HostFailure.noJob(unknown)) { try open(.ofOperator(unknown)) }
    }

    @Test(
        "a client that gives an event number receives all later events, and the response states the number they follow")
    func replays() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([worker.claim()[0]])
        let (stream, opened) = try open(host, token: job.token, since: 1)
        #expect(opened.replaysAfter == 1)
        #expect(opened.isOver != true)
        let received = host.proxy.take(stream)
        #expect(received.types == ["reconnected", "job_progress"])
        #expect(received.frames.map(\.seq) == [1, 2])
    }

    @Test("a client that gives the number of an event that never existed receives the current state")
    func unknownEvent() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([worker.claim()[0]])
        let (stream, opened) = try open(host, token: job.token, since: 99)
        #expect(opened.replaysAfter == 2)
        let received = host.proxy.take(stream)
        #expect(received.types == ["reconnected"])
        #expect(received.frames.map(\.seq) == [2])
    }

    @Test("a client that gives the terminal event's number is told that the job has ended, and no socket is opened")
    func isOver() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let last = try host.state(token: job.token).lastSeq
        let (stream, opened) = try open(host, token: job.token, since: last)
        #expect(opened.isOver == true)
        #expect(host.proxy.take(stream).isEmpty)
        #expect(host.openSockets == 0)
    }

    @Test(
        "a client that gives a number beyond an ended job's last event receives the state, numbered below that event, and the terminal frame"
    )
    func endAfterState() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let last = try host.state(token: job.token).lastSeq
        let (stream, opened) = try open(host, token: job.token, since: last + 1_000)
        #expect(opened.replaysAfter == last - 1)
        let received = host.proxy.take(stream)
        #expect(received.story == ["reconnected", "job_complete", "close 1000"])
        #expect(received.frames.map(\.seq) == [last - 1, last])
    }

    @Test("a stream is neither pinged nor dropped if its client is silent for minutes")
    func isNotPinged() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let (stream, _) = try open(host, token: job.token)
        for _ in 0..<40 { host.advance(by: .seconds(10)) }
        let received = host.proxy.take(stream)
        #expect(!received.types.contains("ping"))
        #expect(received.close == nil)
    }

    @Test("after the end of a scan, the stream closes without waiting for the client")
    func doesNotWait() throws {
        let host = try TestHost()
        let job = try host.create(books: 1, pipeline: .aiScan)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.watch(token: job.token)
        let (stream, _) = try open(host, token: job.token)
        try worker.record(items)
        #expect(host.proxy.take(stream).close == .normal)
        #expect(host.proxy.take(socket).close == nil)
    }

    @Test("a resumed stream is still an event stream")
    func resumes() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let (first, opened) = try open(host, token: job.token)
        try host.closed(first)
        let stream = host.nextSocket()
        try host.resume(
            .init(
                socket: stream, jobId: TestHost.jobID, tokenNumber: opened.tokenNumber, lastSeq: 0, begun: false,
                v1: false, reconnect: false, since: nil, isOneWay: true))
        let worker = try TestWorker(host)
        try worker.record([worker.claim()[0]])
        #expect(host.proxy.take(stream).seqs == [1, 2])
        for _ in 0..<40 { host.advance(by: .seconds(10)) }
        #expect(!host.proxy.take(stream).types.contains("ping"))
    }

    @Test("a wrong or missing token is refused, as on a socket", arguments: ["wrong", nil])
    func unauthorized(token: String?) throws {
        let host = try TestHost()
        try host.create(books: 1)
        #expect(throws: HostFailure.unauthorized) { _ = try open(host, token: token) }
    }
}

extension SocketRequest {
    /// The request for a shipped app's stream.
    fileprivate static func tokenless(_ job: JobID) -> SocketRequest {
        SocketRequest(jobId: job, token: nil, reconnect: false, since: nil, v1: false, isOneWay: true)
    }

    /// The request for the console's stream.
    fileprivate static func ofOperator(_ job: JobID) -> SocketRequest {
        var request = tokenless(job)
        request.isOperator = true
        return request
    }
}
