import BookstrackClient
import BookstrackContract
import Foundation

/// A connection that follows a job, or a poll that waits for its next event.
struct FakeWatcher: Sendable {
    let job: JobID
    /// Whether the connection stays open after the end of the job.
    let followsResults: Bool
    /// Number of frames that were sent.
    var sent = 0

    private let socket: AsyncStream<WebSocketMessage>.Continuation?
    private let stream: AsyncThrowingStream<Data, any Error>.Continuation?

    init(job: JobID, socket: AsyncStream<WebSocketMessage>.Continuation, followsResults: Bool) {
        self.job = job
        self.followsResults = followsResults
        self.socket = socket
        stream = nil
    }

    init(job: JobID, stream: AsyncThrowingStream<Data, any Error>.Continuation, followsResults: Bool = false) {
        self.job = job
        self.followsResults = followsResults
        self.stream = stream
        socket = nil
    }

    func send(_ frame: FakeFrame) {
        socket?.yield(.text(frame.text))
        stream?.yield(Data("id: \(frame.seq)\ndata: \(frame.text)\n\n".utf8))
    }

    /// Breaks the connection abruptly.
    func cut() {
        socket?.finish()
        stream?.finish(throwing: TransportFailure.lost("cut by the test"))
    }

    func close(_ code: Int) {
        socket?.yield(.closed(code: code))
        socket?.finish()
        stream?.finish()
    }
}

/// The client end of a WebSocket.
struct FakeSocket: WebSocketConnection {
    /// Read by only one `receive` at a time.
    let messages: AsyncStream<WebSocketMessage>
    let source: AsyncStream<WebSocketMessage>.Continuation

    func receive() async throws(TransportFailure) -> WebSocketMessage {
        var iterator = messages.makeAsyncIterator()
        if let message = await iterator.next() { return message }
        throw Task.isCancelled ? .cancelled : .lost("cut by the test")
    }

    /// Answers a ping with a pong whose job and times are placeholders; other messages need no response.
    func send(_ text: String) async throws(TransportFailure) {
        guard text.contains(#""type":"ping""#), let job = JobID("any-job") else { return }
        let pong = ServerFrame(
            jobId: job, pipeline: .batchEnrichment, timestamp: 0, seq: 0,
            payload: PongPayload(timestamp: 0, clientTime: 0))
        source.yield(.text(FakeRoutes.json(pong)))
    }

    func close() async { source.finish() }
}

/// A path with its query.
struct FakeTarget {
    let path: String
    private let query: [URLQueryItem]

    init(_ target: String) {
        let parts = URLComponents(string: target)
        path = parts?.path ?? target
        query = parts?.queryItems ?? []
    }

    subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    /// The part of the path after a prefix, up to the next slash; empty if the path does not have the prefix.
    func name(after prefix: String) -> String {
        guard path.hasPrefix(prefix) else { return "" }
        return String(path.dropFirst(prefix.count).prefix { $0 != "/" })
    }
}

/// A request that reads a job's state and may wait for an event.
struct FakePoll {
    let job: JobID
    let tag: String?
    let waits: Bool

    init?(_ request: ClientRequest) {
        let target = FakeTarget(request.target)
        guard request.method == "GET", let job = JobID(target.name(after: "/v1/jobs/")),
            target.path == "/v1/jobs/\(job)"
        else { return nil }
        self.job = job
        tag = request.headers["If-None-Match"]
        waits = target["wait"] != nil
    }
}
