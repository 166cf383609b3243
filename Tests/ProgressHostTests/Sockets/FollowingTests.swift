import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// The rules in websocket.md "Following the results".
@Suite("Following the results")
struct FollowingTests {
    private static let hour = Duration.seconds(3_600)
    private let host: TestHost
    private let job: CreatedJob
    private let worker: TestWorker

    /// Starts a job of four books.
    init() throws {
        host = try TestHost()
        job = try host.create(books: 4)
        worker = try TestWorker(host)
    }

    private func open(since: Int? = nil, isOneWay: Bool = false, follows: Bool = true) throws -> (
        SocketID, OpenSocket.Result
    ) {
        let socket = host.nextSocket()
        let request = SocketRequest(
            jobId: TestHost.jobID, token: job.token, reconnect: true, since: since, v1: false, isOneWay: isOneWay,
            followsResults: follows)
        let result = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.connections.open(socket, request, from: proxy, turn)
        }
        return (socket, result)
    }

    /// Ends the job; the lookups of its last `failing` books fail.
    private func end(failing: Int = 3, error: ItemErrorCode = .providerError) throws {
        let items = try worker.claim()
        try worker.record(Array(items.dropLast(failing)))
        try worker.record(Array(items.suffix(failing)), error: error)
        for _ in 0..<3 {
            host.advance(by: .seconds(2))
            try worker.record(try worker.claim(), error: error)
        }
    }

    /// Makes the retries of `count` books succeed, one after the other, and the retries of the other books fail.
    private func improve(_ count: Int) throws {
        let items = try worker.claim()
        try worker.recordOneByOne(Array(items.prefix(count)))
        try worker.record(Array(items.dropFirst(count)), error: .providerError)
    }

    @Test("a round of retries is reported in one frame, which is not an event", arguments: [false, true])
    func round(isOneWay: Bool) throws {
        let (socket, _) = try open(isOneWay: isOneWay)
        try end()
        let lastSeq = try host.state(token: job.token).lastSeq
        #expect(host.proxy.take(socket).story.last == "job_complete")
        host.advance(by: .seconds(10))
        _ = try host.retry(token: job.token)
        try improve(3)
        #expect(host.proxy.take(socket).types.contains("results_updated") == false)
        host.advance(by: .seconds(2))
        let updates = host.proxy.take(socket).frames.filter { $0.type == "results_updated" }
        #expect(updates.map(\.seq) == [lastSeq])
        #expect(updates.first?.kind == .control)
        #expect(updates.first?.payload?["improved"]?.integer == 3)
        #expect(updates.first?.payload?["resultsRevision"]?.integer == 4)
        #expect(updates.first?.payload?["message"]?.text == "We found more metadata for 3 books.")
        #expect(try host.state(token: job.token).lastSeq == lastSeq)
    }

    @Test("a long round of retries is reported when it ends, and the next round is reported in another frame")
    func rounds() throws {
        let (socket, _) = try open(isOneWay: true)
        try end()
        _ = host.proxy.take(socket)
        _ = try host.retry(token: job.token)
        let items = try worker.claim()
        try worker.record([items[0]])
        host.advance(by: .seconds(20))
        #expect(host.proxy.take(socket).isEmpty)
        try worker.record([items[1]])
        try worker.record([items[2]], error: .providerError)
        host.advance(by: .seconds(2))
        #expect(host.proxy.take(socket).frames.map { $0.payload?["improved"]?.integer } == [2])
        host.advance(by: .seconds(60))
        _ = try host.retry(token: job.token)
        try improve(1)
        host.advance(by: .seconds(2))
        let second = host.proxy.take(socket).frames
        #expect(second.map { $0.payload?["improved"]?.integer } == [1])
        #expect(second.first?.payload?["message"]?.text == "We found more metadata for 1 book.")
    }

    @Test("a round of retries ends when a worker returns its last book without an outcome")
    func returned() throws {
        let (socket, _) = try open(isOneWay: true)
        try end()
        _ = host.proxy.take(socket)
        _ = try host.retry(token: job.token)
        let items = try worker.claim()
        try worker.record(Array(items.dropLast()))
        try worker.release(items.suffix(1).map(\.key))
        host.advance(by: .seconds(2))
        #expect(host.proxy.take(socket).frames.map { $0.payload?["improved"]?.integer } == [2])
        host.advance(by: .seconds(120))
        #expect(try worker.claim().map(\.key) == items.suffix(1).map(\.key))
    }

    @Test("a token that the end of its job has extended is extended further while the socket is live")
    func extendedAtEnd() throws {
        var policy = HostPolicy()
        policy.tokens.ttl = .seconds(40)
        policy.tokens.refreshWindow = .seconds(20)
        policy.retries.background = [.seconds(30)]
        policy.backgroundGrace = .seconds(10)
        let host = try TestHost(policy)
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        let socket = host.nextSocket()
        let request = SocketRequest(
            jobId: TestHost.jobID, token: job.token, reconnect: true, since: nil, v1: false, isOneWay: false,
            followsResults: true)
        _ = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.connections.open(socket, request, from: proxy, turn)
        }
        for _ in 0..<4 {
            try worker.record(try worker.claim(), error: .providerError)
            host.advance(by: .seconds(2))
        }
        #expect(try host.state(token: job.token).status == .failed)
        for _ in 0..<20 {
            host.advance(by: .seconds(5))
            try host.alive(socket)
        }
        #expect(host.proxy.take(socket).close == nil)
        #expect(try host.state(token: job.token).status == .failed)
    }

    @Test("a round of retries that improves nothing is not reported")
    func fruitless() throws {
        let (socket, _) = try open(isOneWay: true)
        try end()
        _ = host.proxy.take(socket)
        _ = try host.retry(token: job.token)
        try worker.record(try worker.claim(), error: .notFound)
        host.advance(by: .seconds(700))
        #expect(host.proxy.take(socket).isEmpty)
    }

    @Test("a stream that does not follow the results ends with its job")
    func withoutFollow() throws {
        let (socket, _) = try open(follows: false)
        try end()
        #expect(host.proxy.take(socket).story.suffix(2) == ["job_complete", "close 1000"])
    }

    @Test("a stream closes an hour after the job's end, whether the job has completed or failed", arguments: [0, 4])
    func hour(failing: Int) throws {
        let (socket, _) = try open(isOneWay: true)
        try end(failing: failing)
        #expect(host.proxy.take(socket).close == nil)
        host.advance(by: Self.hour - .seconds(10))
        #expect(host.proxy.take(socket).close == nil)
        host.advance(by: .seconds(10))
        #expect(host.proxy.take(socket).close == .normal)
    }

    @Test("a stream closes when the results expire, even if the hour is not over")
    func expiry() throws {
        let host = try TestHost(
            {
                var policy = HostPolicy()
                policy.resultsTTL = .seconds(100)
                return policy
            }())
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        let socket = host.nextSocket()
        let request = SocketRequest(
            jobId: TestHost.jobID, token: job.token, reconnect: true, since: nil, v1: false, isOneWay: true,
            followsResults: true)
        _ = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.connections.open(socket, request, from: proxy, turn)
        }
        try worker.record(try worker.claim())
        host.advance(by: .seconds(99))
        #expect(host.proxy.take(socket).close == nil)
        host.advance(by: .seconds(1))
        #expect(host.proxy.take(socket).close == .normal)
    }

    @Test("the results of a cancelled job cannot be followed")
    func cancelled() throws {
        let (socket, _) = try open()
        _ = try host.cancel(token: job.token)
        #expect(host.proxy.take(socket).close == .goingAway)
    }

    @Test("the heartbeat continues after the job's end")
    func heartbeat() throws {
        let (socket, _) = try open()
        try end()
        _ = host.proxy.take(socket)
        host.advance(by: .seconds(31))
        #expect(host.proxy.take(socket).types == ["ping"])
        host.advance(by: .seconds(70))
        #expect(host.proxy.take(socket).close == .tryAgainLater)
    }

    @Test("a client that gives the terminal event's number stays connected, and does not receive the event again")
    func comesBack() throws {
        try end()
        let last = try host.state(token: job.token).lastSeq
        let (stream, opened) = try open(since: last, isOneWay: true)
        #expect(opened.isOver != true)
        #expect(opened.replaysAfter == last)
        #expect(host.proxy.take(stream).story == ["reconnected"])
        _ = try host.retry(token: job.token)
        try improve(2)
        host.advance(by: .seconds(2))
        #expect(host.proxy.take(stream).story == ["results_updated"])
    }

    @Test("a client that connects after the job's end receives the terminal frame, and stays connected")
    func comesLate() throws {
        try end()
        let (stream, _) = try open(isOneWay: true)
        #expect(host.proxy.take(stream).story == ["reconnected", "job_complete"])
        host.advance(by: .seconds(1_800))
        #expect(host.proxy.take(stream).close == nil)
    }

    @Test("a restart of the host loses neither the stream nor the improvements")
    func restart() throws {
        let (_, opened) = try open(isOneWay: true)
        try end()
        let last = try host.state(token: job.token).lastSeq
        _ = try host.retry(token: job.token)
        try improve(2)
        try host.restart()
        let stream = host.nextSocket()
        try host.resume(
            .init(
                socket: stream, jobId: TestHost.jobID, tokenNumber: opened.tokenNumber, lastSeq: last, begun: true,
                v1: false, reconnect: true, since: nil, isOneWay: true, followsResults: true))
        host.advance(by: .seconds(2))
        let received = host.proxy.take(stream)
        #expect(received.story == ["results_updated"])
        #expect(received.frames.first?.payload?["improved"]?.integer == 2)
        host.advance(by: .seconds(3_600))
        #expect(host.proxy.take(stream).story == ["close 1000"])
    }
}
