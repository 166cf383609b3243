import BookstrackContract
import Logging
import NIOCore
import Observability
import SuiteMethods

/// The live sockets and the event stream that each receives (websocket.md "Connection lifetime", "Job events").
///
/// Tracks what every socket has been sent. `SocketConnections` handles clients' messages and authorization.
final class SocketStreams {
    /// Interval at which the streams that wait for an api-proxy to read previous frames are checked.
    private static let pause = Duration.milliseconds(10)
    /// The delay of a hastened keep-alive: the first of these times plus up to the second, so that those of many jobs are not all due at once.
    private static let hastenedDelay = (least: Duration.milliseconds(250), spread: Duration.milliseconds(500))
    /// The reason in a close frame has at most 123 bytes (RFC 6455 §5.5).
    private static let reasonLimit = FrameTextLimit(bytes: 123)

    private let context: EngineContext
    private let jobs: OpenJobs
    /// Starts creating a frame, which is returned through `completionMade`.
    private let makeCompletion: (V1Completions.Request) -> Void
    private var policy: HostPolicy { context.policy }

    private var sessions = SessionTable()
    /// Sockets for which there are frames to send (`serve`).
    private var line = UniqueQueue<SocketKey>()
    /// Number of bytes that streams may still send in this turn. Items read to find what to send count, too (``HostPolicy/streamBytesPerItem``).
    private var budget: Int
    private var v1Completions = V1Completions()

    init(
        _ context: EngineContext, _ jobs: OpenJobs, makeCompletion: @escaping (V1Completions.Request) -> Void
    ) {
        self.context = context
        self.jobs = jobs
        self.makeCompletion = makeCompletion
        budget = context.policy.streamBytesPerTurn
    }

    // MARK: Sessions

    var count: Int { sessions.count }

    subscript(key: SocketKey) -> SocketSession? {
        get { sessions[key] }
        set { sessions[key] = newValue }
    }

    /// Sockets that follow a job.
    func watchers(of job: Int64) -> Set<SocketKey> { sessions.watchers(of: job) }

    /// Sockets without a token whose job does not exist yet.
    func waiting(for id: JobID) -> Set<SocketKey> { sessions.waiting(for: id) }

    /// Tokens of live sockets that expire before `limit`, at most `count`.
    func tokens(endingBefore limit: Int64, atMost count: Int) -> Set<Int64> {
        sessions.tokens(endingBefore: limit, atMost: count)
    }

    /// Updates the sessions whose token has a new expiry.
    func setExpiry(ofTokens expiries: [Int64: Int64]) { sessions.setExpiry(ofTokens: expiries) }

    /// Removes a closed socket.
    func forget(_ key: SocketKey) {
        sessions[key] = nil
        v1Completions.release(key)
        context.timers.cancel(.socket(key))
    }

    /// Removes the sockets of a closed connection.
    func forgetAll(of peer: PeerID) {
        for key in sessions.keys(of: peer) { forget(key) }
    }

    /// Closes sockets after all frames sent so far. Sockets that api-proxy does not report as closed are removed at their next check.
    func close(_ keys: [SocketKey], code: CloseCode, reason: String) {
        for key in keys { sessions[key]?.isClosing = true }
        let reason = Self.reasonLimit.cut(reason)
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            context.notify(
                CloseSockets.self,
                CloseSockets.Parameters(sockets: group.map(\.socket), code: code, reason: reason), to: peer)
        }
    }

    // MARK: Live events

    /// Sends a stored event to every live watcher.
    func broadcast(_ event: StoredEvent, composer: FrameComposer, _ turn: Turn) throws {
        let live = liveWatchers(of: composer.job.number)
        if event.frame.readableBytes < FrameEncoding.softLimit {
            context.deliver(event.frame, kind: event.kind.delivery, seq: event.seq, to: live.current)
        } else {
            lineUp(live.current, at: .replaying(after: event.seq - 1), turn)
        }
        guard !live.v1.isEmpty else { return }
        switch event.kind {
        // A v1 stream begins with the state, does not report individual photos, and ends with a single frame if a scan fails.
        case .started, .batchStarted, .batchProgress, .batchCompleted, .failing: break
        case .completed: lineUp(live.v1, at: .beginning, turn)
        case .progress, .failed, .cancelled:
            guard let frame = try v1Frame(event.kind, composer: composer, turn) else { return }
            context.deliver(frame, kind: event.kind.delivery, seq: event.seq, to: live.v1)
        }
    }

    /// Queues sockets for a frame that may be large, such as the end of a job. A frame that does not fit into a connection's buffer is lost, so each
    /// socket receives a large frame only when `serve` reaches it.
    private func lineUp(_ keys: [SocketKey], at place: SocketSession.Place, _ turn: Turn) {
        guard !keys.isEmpty else { return }
        for key in keys {
            sessions[key]?.place = place
            line.add(key)
        }
        context.timers.setAtLatest(.streams, at: turn.now.uptime)
    }

    /// The v1 frame for an event of this kind; nil for the end of a completed job, whose frame comes from
    /// `v1Completions`.
    private func v1Frame(_ kind: EventKind, composer: FrameComposer, _ turn: Turn) throws -> ByteBuffer? {
        switch kind {
        case .started, .progress, .batchStarted, .batchProgress, .batchCompleted, .failing: try composer.v1Progress()
        case .cancelled: try composer.v1Cancelled()
        case .failed:
            try composer.v1Failed(failureMessage(composer, turn))
        case .completed: nil
        }
    }

    private func failureMessage(_ composer: FrameComposer, _ turn: Turn) throws -> String {
        let job = composer.job
        if let scan = try turn.scans.scan(job), let failure = ScanFailure(scan, books: job.total) {
            return failure.fault.message
        }
        return (JobFailure(composer.counts) ?? .providers).message
    }

    private func liveWatchers(of job: Int64) -> (current: [SocketKey], v1: [SocketKey]) {
        var live: (current: [SocketKey], v1: [SocketKey]) = ([], [])
        for key in sessions.watchers(of: job) {
            guard let session = sessions[key], session.isLive else { continue }
            if session.v1 { live.v1.append(key) } else { live.current.append(key) }
        }
        return live
    }

    /// Sends a keep-alive, which is not an event, to watchers of a silent open job (websocket.md "Heartbeat").
    func keepAlive(_ number: Int64, _ turn: Turn) throws {
        guard let job = jobs[number], !sessions.watchers(of: number).isEmpty else { return }
        let now = turn.now.uptime
        if job.lastFrameAt.map({ $0 + policy.keepAliveInterval <= now }) ?? true { try sendKeepAlive(job, turn) }
        context.timers.set(.keepAlive(job: number), at: (job.lastFrameAt ?? now) + policy.keepAliveInterval)
    }

    /// Sends a job's next keep-alive soon, because a stream that begins or is resumed has nothing else to send, and its client may already have
    /// waited for almost a whole interval.
    func hastenKeepAlive(_ number: Int64, _ turn: Turn) {
        guard let job = jobs[number] else { return }
        job.lastFrameAt = nil
        let (least, spread) = Self.hastenedDelay
        let delay = least + .milliseconds(number % spread.milliseconds)
        context.timers.setAtLatest(.keepAlive(job: number), at: turn.now.uptime + delay)
    }

    private func sendKeepAlive(_ job: ActiveJob, _ turn: Turn) throws {
        job.lastFrameAt = turn.now.uptime
        let composer = try jobs.composer(job.row, turn)
        let live = liveWatchers(of: job.row.number)
        context.deliver(try composer.keepAlive(), kind: .control, seq: job.row.lastSeq, to: live.current)
        guard !live.v1.isEmpty else { return }
        context.deliver(
            try composer.v1Progress(keepAlive: true), kind: .control, seq: job.row.lastSeq, to: live.v1)
    }

    // MARK: Past events

    /// Begins a socket's stream: past events as the client requested, then live events. The past events are sent immediately if the turn's budget
    /// allows, otherwise in a later turn.
    func begin(_ key: SocketKey, _ turn: Turn) throws {
        guard let session = sessions[key], session.isInLine else { return }
        line.add(key)
        try serve(turn)
    }

    /// Continues the stream of a socket that has taken a page of stored events.
    func caughtUp(_ key: SocketKey) {
        guard case .paging(let seq) = sessions[key]?.place else { return }
        sessions[key]?.place = .replaying(after: seq)
        line.add(key)
        context.timers.set(.streams, at: .zero)
    }

    /// Continues the queued streams, one step each, within the turn's budget and as long as their api-proxy keeps reading.
    func serve(_ turn: Turn) throws {
        var passed = 0
        while budget > 0, passed < line.count, let key = line.next() {
            guard let session = sessions[key], session.isInLine else { continue }
            if let waiting = context.bufferedBytes(of: key.peer), waiting >= policy.streamBytesPerLink {
                line.add(key)
                passed += 1
            } else {
                let itemsRead = jobs.itemsRead
                try resume(with: session, key, turn)
                budget -= (jobs.itemsRead - itemsRead) * policy.streamBytesPerItem
            }
        }
        guard !line.isEmpty else { return context.timers.cancel(.streams) }
        context.timers.setAtLatest(.streams, at: budget > 0 ? turn.now.uptime + Self.pause : turn.now.uptime)
    }

    private func resume(with session: SocketSession, _ key: SocketKey, _ turn: Turn) throws {
        guard let number = session.job, let row = try jobs.row(number, turn) else {
            return close([key], code: .internalError, reason: "the job is no longer stored")
        }
        let stream = Stream(key: key, session: session, row: row, turn: turn)
        let place =
            if case .replaying(let seq) = session.place { try resume(after: seq, stream) } else { try open(stream) }
        sessions[key]?.place = place
        if place == .live { conclude([key], of: row, turn) }
    }

    /// The inputs for sending a stream's frames.
    private struct Stream {
        let key: SocketKey
        let session: SocketSession
        let row: JobRow
        let turn: Turn
    }

    private func send(_ frame: ByteBuffer, kind: SocketDelivery.Kind, seq: Int, _ stream: Stream) {
        budget -= frame.readableBytes
        context.deliver(frame, kind: kind, seq: seq, to: [stream.key])
    }

    private func open(_ stream: Stream) throws -> SocketSession.Place {
        if case .resumed(let seq) = stream.session.handshake.opening, seq >= stream.row.lastSeq {
            hastenKeepAlive(stream.row.number, stream.turn)
        }
        switch (stream.session.handshake.opening, stream.session.v1) {
        case (.resumed(let seq), true): if seq < stream.row.lastSeq { return try beginV1(stream) }
        case (_, true): return try beginV1(stream)
        case (.fresh, false): try beginFresh(stream)
        case (.reconnected, false): try beginReconnected(stream)
        case (.since(let seq), false): return try beginSince(seq, stream)
        case (.resumed(let seq), false): return try resume(after: seq, stream)
        }
        return .live
    }

    private func beginFresh(_ stream: Stream) throws {
        guard stream.row.endedAt == nil else {
            for event in try stream.turn.jobs.ending(of: stream.row) {
                send(event.frame, kind: event.kind.delivery, seq: event.seq, stream)
            }
            return
        }
        for event in try jobs.beginning(of: stream.row, stream.turn) {
            send(event.frame, kind: event.kind.delivery, seq: event.seq, stream)
        }
    }

    private func beginReconnected(_ stream: Stream) throws {
        let composer = try jobs.composer(stream.row, stream.turn)
        let end = try stream.turn.jobs.ending(of: stream.row)
        let seq = stream.row.seqBeforeState(oneWay: stream.session.isOneWay, endEvents: end.count)
        send(try composer.reconnected(seq: seq, recovered: false), kind: .reconnected, seq: seq, stream)
        for event in end { send(event.frame, kind: event.kind.delivery, seq: event.seq, stream) }
    }

    private func beginSince(_ seq: Int, _ stream: Stream) throws -> SocketSession.Place {
        guard stream.row.keepsEvents(after: seq) else {
            try beginReconnected(stream)
            return .live
        }
        let composer = try jobs.composer(stream.row, stream.turn)
        send(try composer.reconnected(seq: seq, recovered: true), kind: .reconnected, seq: seq, stream)
        return try replay(after: seq, stream)
    }

    /// Continues without an opening frame or, if some events after `seq` are no longer stored, informs the client with `reconnected`.
    private func resume(after seq: Int, _ stream: Stream) throws -> SocketSession.Place {
        guard seq < stream.row.recoverableFrom else { return try replay(after: seq, stream) }
        try beginReconnected(stream)
        return .live
    }

    /// Sends a page of stored events. Once a job has ended, the terminal event is always sent, even to a client that gives the `seq` of that event: a
    /// socket is never closed without it. This does not apply to a socket that follows the results, because it stays open.
    private func replay(after seq: Int, _ stream: Stream) throws -> SocketSession.Place {
        let staysOpen = stream.row.endedAt == nil || (stream.session.followsResults && stream.row.resultsCanBeFollowed)
        let seq = staysOpen ? seq : min(seq, stream.row.lastSeq - 1)
        let events = try jobs.events(of: stream.row, after: seq, limit: policy.eventsPerPage + 1, stream.turn)
        let page = events.prefix(policy.eventsPerPage)
        let end = events.count > page.count ? page.last?.seq : nil
        for event in page {
            let kind: SocketDelivery.Kind = event.seq == end ? .page : .replayed
            send(event.frame, kind: event.kind.isTerminal ? .terminal : kind, seq: event.seq, stream)
        }
        return end.map { .paging(after: $0) } ?? .live
    }

    // MARK: The v1 dialect

    private func beginV1(_ stream: Stream) throws -> SocketSession.Place {
        let kind = try stream.turn.jobs.ending(of: stream.row).last?.kind ?? .progress
        // Before the first event, there is no `seq` that api-proxy would count as new.
        let delivery = stream.row.lastSeq == 0 ? .control : kind.delivery
        let frame =
            if kind == .completed {
                v1Completions.take(V1Completions.Request(job: stream.row, now: stream.turn.now), for: stream.key)
            } else {
                try v1Frame(kind, composer: jobs.composer(stream.row, stream.turn), stream.turn)
            }
        // The socket is queued again when its frame is ready.
        guard let frame else { return .beginning }
        send(frame, kind: delivery, seq: stream.row.lastSeq, stream)
        return .live
    }

    /// Continues the streams that were waiting for a v1 `complete` frame; if it could not be created, closes them so their clients reconnect.
    func completionMade(_ key: V1Completions.Key, _ frame: Result<ByteBuffer, any Error>, _ turn: Turn) throws {
        let sockets = v1Completions.finish(key, try? frame.get())
        if case .failure(let error) = frame {
            context.logger.error("results cannot be read", metadata: ["error": "\(error)"])
            return close(Array(sockets), code: .tryAgainLater, reason: "the results cannot be read at the moment")
        }
        for socket in sockets { line.add(socket) }
        try serve(turn)
    }

    // MARK: The end of a job

    /// Closes the sockets that have received a job's terminal event, unless they may stay open; the others receive it when their streams reach it.
    func conclude(_ row: JobRow, _ turn: Turn) throws {
        conclude(sessions.watchers(of: row.number).filter { sessions[$0]?.isLive == true }, of: row, turn)
        try serve(turn)
    }

    /// Closes sockets that have received the terminal frame of their job. Those that follow the results stay open for at most
    /// ``HostPolicy/followLimit``. Clients of completed scans and imports fetch the results in the task that receives frames, and a close would
    /// cancel that task. They therefore have ``HostPolicy/clientCloseTimeout`` to close the socket themselves; one-way connections are
    /// closed at once.
    private func conclude(_ keys: some Collection<SocketKey>, of row: JobRow, _ turn: Turn) {
        guard let code = row.status.closeCode else { return }
        let follows = { [sessions] (key: SocketKey) in row.resultsCanBeFollowed && sessions[key]?.followsResults == true
        }
        let limit = turn.now.uptime + policy.followLimit
        let expiry = row.expiresAt.map { turn.now.uptime(atSettled: $0) }
        keepOpen(keys.filter(follows), until: min(limit, expiry ?? limit))
        let others = keys.filter { !follows($0) }
        let waits = row.status == .completed && row.pipeline != .batchEnrichment
        let ended = others.filter { !waits || sessions[$0]?.isOneWay == true }
        close(ended, code: code, reason: "job \(row.status.rawValue)")
        guard waits else { return }
        let waiting = others.filter { sessions[$0]?.isOneWay == false }
        keepOpen(waiting, until: turn.now.uptime + policy.clientCloseTimeout)
    }

    private func keepOpen(_ keys: [SocketKey], until: Duration) {
        for key in keys {
            sessions[key]?.place = .ended(until: until)
            context.timers.setAtLatest(.socket(key), at: until)
        }
    }

    /// Notifies the clients that follow a job's results of the rows that a round of retries has improved (websocket.md "Following the results").
    ///
    /// - Parameter improved: The number of these rows.
    func notifyFollowers(of row: JobRow, improved: Int, _ turn: Turn) throws {
        let followers = sessions.watchers(of: row.number).filter { sessions[$0]?.isFollowing == true }
        guard !followers.isEmpty else { return }
        let frame = try ControlFrames(job: row, now: turn.now).resultsUpdated(improved: improved)
        context.deliver(frame, kind: .control, seq: row.lastSeq, to: Array(followers))
    }

    // MARK: The end of a turn

    /// Called after the commit: keeps the sessions' changes, renews the byte budget, and starts creating requested v1 `complete` frames, within the
    /// limits of `v1Completions`.
    func keepTurn() {
        sessions.keepChanges()
        while let request = v1Completions.next() { makeCompletion(request) }
        budget = policy.streamBytesPerTurn
    }

    /// Called after a failed transaction: restores the sessions that the turn changed; queued streams continue by `retryAt`.
    func undoTurn(retryAt: Duration) {
        sessions.undoChanges()
        v1Completions.undoTurn()
        budget = policy.streamBytesPerTurn
        for key in sessions.inLine { line.add(key) }
        if !line.isEmpty { context.timers.setAtLatest(.streams, at: retryAt) }
    }
}

extension JobStatus {
    /// The close code for sockets of an ended job (websocket.md "Close codes"); nil before the end.
    var closeCode: CloseCode? {
        switch self {
        case .completed: .normal
        case .cancelled: .goingAway
        case .failed: .internalError
        case .pending, .processing, .cancelling: nil
        }
    }
}
