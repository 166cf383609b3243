import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// Event streams are sockets whose client says nothing (streams.md "Server-sent events").
@Suite("Streams of clients that send nothing")
struct EventStreamSessionTests {
    /// Opens an event stream; also returns the answer to the opening.
    private func open(
        _ host: TestHost, token: String?, since: Int? = nil
    ) throws -> (SocketID, OpenSocket.Result) {
        let socket = host.nextSocket()
        let request = SocketRequest(
            jobId: TestHost.jobID, token: token ?? "", reconnect: false, since: since, v1: false, isOneWay: true)
        let result = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.open(socket, request, from: proxy, turn)
        }
        return (socket, result)
    }

    @Test("the current state comes at once, without a ready")
    func beginsAtOnce() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([worker.claim()[0]])
        let (stream, _) = try open(host, token: job.token)
        #expect(host.proxy.take(stream).story == ["job_started", "job_progress"])
    }

    @Test("without a token the identifier of a job is enough if it cannot be guessed")
    func byIdentifier() throws {
        let host = try TestHost()
        let id = try #require(JobID("8f14e45f-ceea-467f-9575-b1d3c2a4e0aa"))
        _ = try host.create(id, books: 3)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        let socket = host.nextSocket()
        _ = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.open(socket, .tokenless(id), from: proxy, turn)
        }
        #expect(host.proxy.take(socket).story == ["job_started"])
        _ = try host.create(books: 3)
        #expect(throws: HostFailure.unauthorized) {
            try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
                try engine.open(SocketID(99), .tokenless(TestHost.jobID), from: proxy, turn)
            }
        }
    }

    @Test("an operator needs no token, whatever the identifier, and gets an unknown job refused")
    func ofOperator() throws {
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        let socket = host.nextSocket()
        func open(_ request: SocketRequest) throws {
            _ = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
                try engine.open(socket, request, from: proxy, turn)
            }
        }
        try open(.ofOperator(TestHost.jobID))
        #expect(host.proxy.take(socket).story == ["job_started"])
        let unknown = try #require(JobID("job-unknown"))
        #expect(throws: HostFailure.noJob(unknown)) { try open(.ofOperator(unknown)) }
    }

    @Test("a client that names an event gets those after it, and learns where they continue")
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

    @Test("an event that never existed is answered with the state, from which events continue")
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

    @Test("a client that names the terminal event gets the answer that the job is over, and takes no resources")
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

    @Test("a client that names an event beyond the last one gets the end under a number that it can ask for again")
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

    @Test("it is neither pinged nor dropped, however long its client says nothing")
    func isNotPinged() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let (stream, _) = try open(host, token: job.token)
        for _ in 0..<40 { host.advance(by: .seconds(10)) }
        let received = host.proxy.take(stream)
        #expect(!received.types.contains("ping"))
        #expect(received.close == nil)
    }

    @Test("the end of an import is not followed by a wait for the client")
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

    @Test("it is taken up again as what it was")
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

    @Test("a wrong or missing token is refused as a socket's", arguments: ["wrong", nil])
    func unauthorized(token: String?) throws {
        let host = try TestHost()
        try host.create(books: 1)
        #expect(throws: HostFailure.unauthorized) { _ = try open(host, token: token) }
    }
}

extension SocketRequest {
    /// As on a stream of shipped apps.
    fileprivate static func tokenless(_ job: JobID) -> SocketRequest {
        SocketRequest(jobId: job, token: nil, reconnect: false, since: nil, v1: false, isOneWay: true)
    }

    /// As on a stream of the console.
    fileprivate static func ofOperator(_ job: JobID) -> SocketRequest {
        var request = tokenless(job)
        request.isOperator = true
        return request
    }
}
