import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// `GET /v1/jobs/{jobId}`: a job's state, immediately or after waiting for a change (streams.md "Polling").
struct JobStateRoute: Sendable {
    static let path = "/v1/jobs/{jobId}"

    let host: RPCClient
    let admission: WatcherAdmission

    var routes: [Route] {
        [
            Route(onLoop: Self.path, limit: .jobReading) { request in
                JobStateReading(jobId: request.jobId, host, admission)
            }
        ]
    }
}

/// One reading of a job's state. While it waits, it watches the job, but only for the next event.
final class JobStateReading: LoopWork {
    /// The allowed waiting times, in seconds.
    private static let waits = 1...30

    /// The job's identifier; nil if the one in the path is not valid.
    private let jobId: JobID?
    private let host: RPCClient
    private let admission: WatcherAdmission
    private var token: String?
    private var wait: TimeAmount?
    /// The exchange to answer; nil before the reading starts and after it has ended.
    private var exchange: LoopExchange?
    private var poll: JobPoll?
    private var timer: Scheduled<Void>?
    /// When waiting began.
    private var waitsSince = NIODeadline.uptimeNanoseconds(0)

    init(jobId: JobID?, _ host: RPCClient, _ admission: WatcherAdmission) {
        self.jobId = jobId
        self.host = host
        self.admission = admission
    }

    func start(_ exchange: LoopExchange) {
        self.exchange = exchange
        guard let jobId else { return fail(APIFailure.invalid("jobId", JobID.rule())) }
        exchange.activity.concern(job: jobId.text)
        token = BearerToken.read(exchange.head.headers["Authorization"].first)
        if let text = QueryItems(uri: exchange.head.uri)["wait"] {
            guard let seconds = Int64(text), Self.waits.contains(Int(seconds)) else {
                return fail(APIFailure.invalid("wait", "must be a number of seconds from 1 to 30"))
            }
            wait = .seconds(seconds)
        }
        read(jobId) { self.answerOrWait($0, of: jobId) }
    }

    /// Responds immediately, or waits for the next event if the client asked for that. There is no wait if `If-None-Match` is present and does not
    /// match the state, if the job has ended, or if the server is stopping.
    private func answerOrWait(_ state: JobState, of jobId: JobID) {
        guard let exchange else { return }
        let field = exchange.ifNoneMatch
        let isKnown = field == nil || EntityTag(of: state).matches(field)
        guard let wait, isKnown, !state.status.isTerminal, !exchange.isStopping else { return answer(state) }
        guard !exchange.hasClientEnded else { return exchange.abandon() }
        do throws(APIFailure) {
            try watch(jobId, after: state, for: wait, exchange)
        } catch {
            fail(error)
        }
    }

    private func watch(
        _ jobId: JobID, after state: JobState, for wait: TimeAmount, _ exchange: LoopExchange
    ) throws(APIFailure) {
        let request = SocketRequest(
            jobId: jobId, token: token ?? "", reconnect: false, since: state.lastSeq, v1: false, isOneWay: true)
        // A page of any origin may wait, just as it may read the state: progress-host has checked the token, and waiting changes nothing
        // (http-api.md "Origins").
        let client = admission.client(of: exchange.head, exchange.channel)
        let poll = try admission.hub.open(job: jobId, client: client, on: exchange.eventLoop) { id, permit, shard in
            JobPoll(id: id, request: request, permit: permit, shard: shard, channel: exchange.channel) { [weak self] in
                guard let self, self.poll != nil else { return }
                self.stopWatching()
                self.whenConnected { $0.read(jobId, $0.answer) }
            }
        }
        self.poll = poll
        waitsSince = exchange.eventLoop.now
        timer = exchange.eventLoop.assumeIsolated().scheduleTask(in: wait) { [weak self] in self?.timeIsUp(state) }
        Activity.$current.withValue(exchange.activity) {
            admission.ask(request, for: poll, on: exchange.eventLoop) { [weak self] outcome in
                guard let self, self.poll === poll else { return }
                switch outcome {
                case .failure(let failure): self.fail(failure)
                case .success(let result): if result.isOver == true { poll.changed() }
                }
            }
        }
    }

    private func timeIsUp(_ state: JobState) {
        guard poll != nil else { return }
        stopWatching()
        answer(state)
    }

    private func stopWatching() {
        timer?.cancel()
        poll?.end()
        if poll != nil, let exchange { exchange.waited = Duration(exchange.eventLoop.now - waitsSince) }
        (timer, poll) = (nil, nil)
    }
}

// MARK: The response

extension JobStateReading {
    private func answer(_ state: JobState) {
        guard let exchange = end() else { return }
        let tag = EntityTag(of: state)
        let fields: HTTPFields = [.contentType: StandardFields.json, .eTag: tag.description]
        guard !tag.matches(exchange.ifNoneMatch) else { return exchange.answerNotModified(fields) }
        exchange.answer(
            .ok, fields, JSONBody.encode(SuccessEnvelope(data: state, metadata: exchange.exchange.metadata)))
    }

    private func fail(_ error: any Error) { end()?.fail(error) }

    /// Ends the reading, and returns the exchange to answer; nil if it had ended before.
    private func end() -> LoopExchange? {
        stopWatching()
        defer { exchange = nil }
        return exchange
    }

    /// Calls `then` once progress-host is connected, or after a short wait: after a restart, events arrive before the connection is ready for calls.
    private func whenConnected(_ then: @escaping @Sendable (JobStateReading) -> Void) {
        guard !host.isConnected, let eventLoop = exchange?.eventLoop else { return then(self) }
        let reading = NIOLoopBound(self, eventLoop: eventLoop)
        Task { [host] in
            try? await host.waitUntilConnected(within: ResultsReading.connectionWait)
            eventLoop.execute { then(reading.value) }
        }
    }

    /// Queries progress-host, and calls `done` with the state; a failure becomes the response.
    private func read(_ jobId: JobID, _ done: @escaping (JobState) -> Void) {
        guard let exchange else { return }
        let eventLoop = exchange.eventLoop
        let bound = NIOLoopBound((self, done), eventLoop: eventLoop)
        // ``RPCClient/call(_:of:token:)`` needs a task, so it cannot be used here.
        let access = JobAccess(jobId: jobId, token: token ?? "")
        Activity.$current.withValue(exchange.activity) {
            host.call(ReadJobState.self, access) { outcome in
                eventLoop.runOrExecute {
                    let (reading, done) = bound.value
                    switch outcome {
                    case .success(let state): done(state)
                    case .failure(let error): reading.fail(error.refusal(of: reading.token))
                    }
                }
            }
        }
    }

    func cancel() { _ = end() }

    /// Treats a waiting client that closes its sending side as gone (``AbortedConnections``).
    func inputClosed() { if poll != nil { exchange?.abandon() } }

    /// Lets a waiting client receive its response now.
    func serverStops() { poll?.changed() }
}

extension EntityTag {
    /// Identifies a state by its newest event, which determines the counts, and by the revision of the results.
    fileprivate init(of state: JobState) { self.init(weak: state.version) }
}

/// Waits for the next event of a job, or for its end.
final class JobPoll: Watcher {
    enum Goal {
        case event
        case end
    }

    var codec: FrameCodec { .frame }

    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    let state: WatcherState
    private(set) var channel: (any Channel)?
    private let goal: Goal
    private var onChange: (() -> Void)?

    /// - Parameter onChange: Called at most once: when the goal is reached or can no longer be reached, or when the server stops.
    init(
        id: SocketID, request: SocketRequest, permit: SocketLimiter.Permit, shard: SocketShard, channel: any Channel,
        until goal: Goal = .event, onChange: @escaping () -> Void
    ) {
        self.id = id
        self.request = request.withoutToken
        self.shard = shard
        self.channel = channel
        self.goal = goal
        self.onChange = onChange
        state = WatcherState(permit: permit)
        shard.metrics.polls.add()
    }

    func changed() {
        let onChange = onChange
        self.onChange = nil
        onChange?()
    }

    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, seq: Int) {
        switch kind {
        case .terminal: changed()
        case .event, .progress, .replayed, .page: if goal == .event { changed() }
        // A `seq` other than the requested one means that the events after the requested one are no longer stored.
        case .reconnected: if goal == .event, state.ledger.lastSeq != request.since { changed() }
        case .readyAck, .control, .ping, .text: break
        }
    }

    func flush() {}

    func sendEnd(_ code: CloseCode, reason: String) { changed() }

    func drainTimedOut() { changed() }

    func end() {
        guard state.phase != .closed else { return }
        (channel, onChange) = (nil, nil)
        shard.metrics.polls.subtract()
        leave()
    }
}
