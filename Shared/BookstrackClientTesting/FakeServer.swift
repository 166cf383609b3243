public import BookstrackClient
public import BookstrackContract
import Foundation

/// An in-memory BooksTrack server for testing apps, without a port, a process or waiting.
///
/// ```swift
/// let server = FakeServer()
/// await server.add(FakeBook(isbn: "9780441172719", title: "Dune", author: "Frank Herbert"))
/// let client = BookstrackClient(transport: server, clock: TestClock(isInstant: true))
/// let job = try await client.startEnrichment(isbns: ["9780441172719"])
/// let end = try await client.events(of: job.jobId).last()
/// ```
///
/// It serves the routes that the library calls, except previews, using the real wire types. Jobs run to their end immediately,
/// or item by item if ``steps`` is `manual`. Tests can inject faults: dropped connections, blocked transports, failing calls and a missing network.
public actor FakeServer: ClientTransport {
    /// How jobs proceed.
    public enum Steps: Sendable {
        /// A started job runs to its end immediately.
        case automatic
        /// A job waits until the test calls ``advance(_:by:)`` or ``fail(_:_:retryable:)``, or until a client cancels it.
        case manual
    }

    /// How jobs proceed.
    public var steps: Steps
    /// Transports that are blocked between the app and the server. If polling is blocked, the states of jobs cannot be read either.
    public var refused: Set<EventTransport> = []
    /// Whether there is no network.
    public var isOffline = false
    /// Number of frames after which every connection is cut; nil to leave connections open.
    public var framesPerConnection: Int?
    /// Maximum number of books per enrichment; nil for no limit.
    public var maxBatchBooks: Int?
    /// The methods and targets of all requests, in order; the method of an upgrade is `WEBSOCKET`.
    public private(set) var calls: [String] = []

    var jobs: [JobID: FakeJob] = [:]
    private var books: [FakeBook] = []
    private var failures: [ClientAnswer] = []
    private var imported: [ImportedBook] = []
    private var watchers: [UUID: FakeWatcher] = [:]

    /// Creates a server without books.
    public init(steps: Steps = .automatic) { self.steps = steps }

    /// Adds a book for searches and jobs to find; every photo shows it.
    public func add(_ book: FakeBook) { books.append(book) }

    /// Sets the books that every library file contains, regardless of its real content.
    public func setImported(_ books: [ImportedBook]) { imported = books }

    /// Sets how jobs proceed.
    public func setSteps(_ steps: Steps) { self.steps = steps }

    /// Blocks these transports and no others.
    public func refuse(_ transports: Set<EventTransport>) { refused = transports }

    /// Disconnects or reconnects the network.
    public func setOffline(_ isOffline: Bool) {
        self.isOffline = isOffline
        if isOffline { cut() }
    }

    /// Cuts every connection after this many frames; nil to leave connections open.
    public func cut(everyFrames frames: Int?) { framesPerConnection = frames }

    /// Refuses enrichments with more books than this; nil for no limit.
    public func limitBatches(to books: Int?) { maxBatchBooks = books }

    /// Cuts all open connections.
    public func cut() {
        for watcher in watchers.values { watcher.cut() }
        watchers = [:]
    }

    /// Closes all WebSockets with a code (RFC 6455 §7.4), and ends all event streams.
    public func close(code: Int) {
        for watcher in watchers.values { watcher.close(code) }
        watchers = [:]
    }

    /// Answers the next requests with these responses, one each, in this order.
    public func failNext(_ answers: ClientAnswer...) { failures += answers }

    // MARK: Jobs

    /// Identifiers of the jobs, in no particular order.
    public var jobIDs: [JobID] { Array(jobs.keys) }

    /// The books of a job, as requested.
    public func items(of job: JobID) -> [BookQuery] { jobs[job]?.items ?? [] }

    /// Processes the next items of a job; the job completes after its last item.
    public func advance(_ id: JobID, by count: Int = 1) {
        update(id) { $0.advance(by: count, knowing: books) }
    }

    /// Fails a job as a whole. The results of an enrichment have the code `DEADLINE_EXCEEDED` for its remaining items.
    public func fail(_ id: JobID, _ code: FrameErrorCode = .internalError, retryable: Bool = true) {
        update(id) { $0.fail(code, retryable: retryable) }
    }

    /// Deletes a job and closes its connections, like a server whose database was restored from a backup.
    public func forget(_ id: JobID) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        for (key, watcher) in watchers where watcher.job == id {
            watcher.send(job.refusal)
            watcher.close(1_011)
            watchers[key] = nil
        }
    }

    /// Increments the revision of a job's results, and sends an update to the clients that follow them, as if `rows` rows had improved. The rows
    /// remain unchanged.
    public func improve(_ id: JobID, rows: Int = 1) {
        guard let frame = jobs[id]?.improve(rows: rows) else { return }
        for (key, watcher) in watchers where watcher.job == id && watcher.followsResults {
            send(frame, to: key, isLast: false)
        }
    }

    func update(_ id: JobID, _ change: (inout FakeJob) -> Void) {
        guard var job = jobs[id] else { return }
        let before = job.frames.count
        change(&job)
        jobs[id] = job
        for frame in job.frames[before...] { deliver(frame, of: job) }
    }

    private func deliver(_ frame: FakeFrame, of job: FakeJob) {
        for (key, watcher) in watchers where watcher.job == job.id {
            send(frame, to: key, isLast: job.isOver && frame.seq == job.lastSeq)
        }
    }

    /// Sends a frame; false if the connection is now closed.
    @discardableResult
    private func send(_ frame: FakeFrame, to key: UUID, isLast: Bool) -> Bool {
        guard let watcher = watchers[key] else { return false }
        watcher.send(frame)
        watchers[key]?.sent += 1
        if isLast, !watcher.followsResults {
            watcher.close(1_000)
        } else if let limit = framesPerConnection, watcher.sent + 1 >= limit {
            watcher.cut()
        } else {
            return true
        }
        watchers[key] = nil
        return false
    }

    // MARK: Transport

    /// Sends a request and returns the complete response.
    public func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        calls.append("\(request.method) \(request.target)")
        if isOffline { throw .unreachable("no network") }
        if !failures.isEmpty { return failures.removeFirst() }
        if let poll = FakePoll(request), let job = jobs[poll.job], job.admits(request) {
            if refused.contains(.polling) { return ClientAnswer(status: 403) }
            return try await answer(poll, job)
        }
        if request.target == "/v1/token/refresh" { return refreshToken(request) }
        let routes = FakeRoutes(books: books, imported: imported, maxBatchBooks: maxBatchBooks)
        let answer = routes.answer(to: request, of: jobs) { accept($0) }
        if request.method == "DELETE", answer.status == 200,
            let job = JobID(FakeTarget(request.target).name(after: "/v1/jobs/"))
        {
            update(job) { $0.cancel() }
        }
        return answer
    }

    /// Sends a request and returns when the head of the response has arrived.
    public func stream(_ request: ClientRequest) throws(TransportFailure) -> ClientStream {
        calls.append("\(request.method) \(request.target)")
        if isOffline { throw .unreachable("no network") }
        if !failures.isEmpty { throw .refused(failures.removeFirst()) }
        let target = FakeTarget(request.target)
        if refused.contains(.eventStream) { throw .refused(ClientAnswer(status: 403)) }
        guard let job = JobID(target.name(after: "/v1/jobs/")).flatMap({ jobs[$0] }), job.admits(request) else {
            throw .refused(FakeRoutes.refusal(.unauthorized, "the token is wrong"))
        }
        let (body, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        watch(
            FakeWatcher(job: job.id, stream: source, followsResults: target["follow"] == "results"),
            since: target["since"].flatMap { Int($0) })
        return ClientStream(
            head: ClientAnswer(status: 200, headers: ["content-type": "text/event-stream"]), body: body)
    }

    /// Opens a WebSocket.
    public func webSocket(_ request: ClientRequest, subprotocol: String) throws(TransportFailure)
        -> any WebSocketConnection
    {
        calls.append("WEBSOCKET \(request.target)")
        if isOffline { throw .unreachable("no network") }
        if refused.contains(.webSocket) { throw .refused(ClientAnswer(status: 403)) }
        if !failures.isEmpty { throw .refused(failures.removeFirst()) }
        let target = FakeTarget(request.target)
        guard let job = target["jobId"].flatMap({ JobID($0) }).flatMap({ jobs[$0] }),
            subprotocol == "bookstrack-auth.\(job.token)"
        else { throw .refused(FakeRoutes.refusal(.unauthorized, "the token is wrong")) }
        let (messages, source) = AsyncStream<WebSocketMessage>.makeStream()
        watch(
            FakeWatcher(job: job.id, socket: source, followsResults: target["follow"] == "results"),
            since: target["since"].flatMap { Int($0) })
        return FakeSocket(messages: messages, source: source)
    }

    private func watch(_ watcher: FakeWatcher, since: Int?) {
        guard let job = jobs[watcher.job] else { return }
        let key = UUID()
        watchers[key] = watcher
        for frame in job.replay(since: since) {
            if !send(frame, to: key, isLast: job.isOver && frame.seq == job.lastSeq) { return }
        }
    }

    /// Replaces a job's token. Unlike the real server, it does so at any time, and the old token is refused immediately.
    private func refreshToken(_ request: ClientRequest) -> ClientAnswer {
        guard let body = try? JSONDecoder().decode(TokenRefreshRequest.self, from: request.body ?? Data()),
            var job = jobs[body.jobId], job.token == body.oldToken
        else { return FakeRoutes.refusal(.unauthorized, "the token is wrong") }
        job.rotateToken()
        jobs[job.id] = job
        let refreshed = TokenRefreshed(jobId: job.id, token: job.token, expiresAt: job.results.expiresAt)
        return ClientAnswer(status: 200, body: Data(FakeRoutes.json(refreshed).utf8))
    }

    private func answer(_ poll: FakePoll, _ job: FakeJob) async throws(TransportFailure) -> ClientAnswer {
        if poll.waits, poll.tag == nil || poll.tag == job.tag, !job.isOver {
            let (events, source) = AsyncThrowingStream<Data, any Error>.makeStream()
            let key = UUID()
            watchers[key] = FakeWatcher(job: job.id, stream: source)
            do {
                for try await _ in events { break }
            } catch {
                throw .lost("the connection was cut")
            }
            watchers[key] = nil
            if Task.isCancelled { throw .cancelled }
        }
        let now = jobs[job.id] ?? job
        var answer = FakeRoutes.success(now.state)
        answer.headers["etag"] = now.tag
        return answer
    }

    /// Stores a started job, and runs it if jobs run automatically. Repeating a start with the same identifier and the same books returns the same
    /// job.
    private func accept(_ job: FakeJob) -> FakeJob? {
        if let known = jobs[job.id] { return known.items == job.items ? known : nil }
        jobs[job.id] = job
        if steps == .automatic { advance(job.id, by: job.items.count + 1) }
        return job
    }
}
