import BookstrackContract
import Logging
import NIOCore
import SuiteMethods

/// Handles input from sockets and their clients: the upgrade, resumption, the ready handshake, the heartbeat and messages (websocket.md).
final class SocketConnections {
    private let context: EngineContext
    private let jobs: OpenJobs
    private let tokens: JobTokens
    private let streams: SocketStreams
    private var policy: HostPolicy { context.policy }

    /// Number of client messages ignored because their type, action or `seq` is unknown (websocket.md "Client messages").
    private(set) var unknownMessages = 0

    init(_ context: EngineContext, _ jobs: OpenJobs, _ tokens: JobTokens, _ streams: SocketStreams) {
        self.context = context
        self.jobs = jobs
        self.tokens = tokens
        self.streams = streams
    }

    // MARK: Upgrade and resumption

    /// Registers a socket, or a one-way connection such as an event stream, if its client is authorized for the job (websocket.md "Upgrade",
    /// streams.md) and has something to receive.
    func open(
        _ socket: SocketID, _ request: SocketRequest, from link: any PeerLink, _ turn: Turn
    ) throws -> OpenSocket.Result {
        let subject: SocketSession.Subject
        var token: TokenState?
        let isOneWay = request.isOneWay == true
        let isOpen = try request.token == nil && turn.scans.isTokenless(request.jobId)
        if request.isOperator == true, isOneWay {
            guard let number = try turn.jobs.number(request.jobId, at: turn.now.settled) else {
                throw HostFailure.noJob(request.jobId)
            }
            subject = .job(number)
        } else if request.token == nil, isOneWay {
            subject = .job(try tokens.authorizeByIdentifier(JobAccess(jobId: request.jobId, token: nil), turn))
        } else if request.token == nil, policy.tokenlessAllowed || isOpen {
            subject =
                try turn.jobs.number(request.jobId, at: turn.now.settled).map { .job($0) }
                ?? .awaited(request.jobId, until: turn.now.uptime + policy.jobAppearanceTimeout)
        } else {
            let proved = try tokens.authorize(JobAccess(jobId: request.jobId, token: request.token ?? ""), turn)
            subject = .job(proved.job)
            token = proved.token
        }
        var result = OpenSocket.Result(tokenNumber: token?.number)
        if isOneWay, let since = request.since, case .job(let number) = subject, let row = try jobs.row(number, turn) {
            let follows = request.followsResults == true && row.resultsCanBeFollowed
            result.isOver = row.endedAt != nil && since == row.lastSeq && !follows
            if result.isOver == true { return result }
            result.replaysAfter =
                try row.keepsEvents(after: since)
                ? since : row.seqBeforeState(oneWay: true, endEvents: turn.jobs.ending(of: row).count)
        }
        context.connect(link)
        let opening = ReadyHandshake.Opening(since: request.since, reconnect: request.reconnect)
        let waits =
            opening == .fresh && request.token != nil && !request.v1 && !isOneWay
            && token.map(tokens.wasReady) != true
        let v1 = request.v1 || (request.token == nil && !isOpen && !isOneWay)
        var session = session(subject, token, opening, wait: waits ? policy.readyTimeout : nil, v1: v1, turn)
        session.isOneWay = isOneWay
        session.followsResults = request.followsResults == true && !v1
        try add(session, key: SocketKey(peer: link.id, socket: socket), turn)
        return result
    }

    /// Resumes live sockets after this process has restarted or api-proxy has reconnected (Services/README.md rule 5).
    func resume(_ sockets: [ResumeSockets.LiveSocket], from link: any PeerLink, _ turn: Turn) throws {
        context.connect(link)
        for live in sockets { try resume(live, key: SocketKey(peer: link.id, socket: live.socket), turn) }
    }

    private func resume(_ live: ResumeSockets.LiveSocket, key: SocketKey, _ turn: Turn) throws {
        // After a restore, the number of a token that the backup does not contain may belong to another job's token.
        let token = try live.tokenNumber.flatMap { try turn.tokens.token(number: $0, of: live.jobId) }
        if token?.revoked == true {
            return try refuse(key, of: live.jobId, v1: live.v1, .tokenRevoked, turn)
        }
        let subject: SocketSession.Subject
        if let number = try turn.jobs.number(live.jobId, at: turn.now.settled) {
            subject = .job(number)
        } else if !live.begun, live.tokenNumber == nil, policy.tokenlessAllowed {
            subject = .awaited(live.jobId, until: turn.now.uptime + policy.jobAppearanceTimeout)
        } else {
            streams.forget(key)
            return try refuse(key, of: live.jobId, v1: live.v1, .jobNotKept, turn)
        }
        let asked = ReadyHandshake.Opening(since: live.since, reconnect: live.reconnect)
        // A stream that has begun may have sent only its `ready_ack` and not yet the `reconnected` frame that the client requested.
        let opening = live.begun && (live.lastSeq > 0 || asked == .fresh) ? .resumed(after: live.lastSeq) : asked
        if live.begun, let token, !tokens.wasReady(token) { tokens.noteReady(token.number) }
        let isOneWay = live.isOneWay == true
        let v1 = try live.v1 || (live.tokenNumber == nil && !isOneWay && !turn.scans.isTokenless(live.jobId))
        let waits = opening == .fresh && !v1 && !isOneWay && token.map(tokens.wasReady) != true
        // It is not known how long the client has already waited, and shipped apps time out after 10 s without a frame.
        var session = session(subject, token, opening, wait: waits ? policy.readyTimeout / 2 : nil, v1: v1, turn)
        session.isOneWay = isOneWay
        session.followsResults = live.followsResults == true && !v1
        try add(session, key: key, turn)
    }

    /// Why a socket cannot follow its job.
    private enum Refusal: String {
        case tokenRevoked = "the token was revoked"
        case jobNotKept = "the job is no longer stored"
        case noSuchJob = "no such job"

        var error: FrameErrorCode { self == .tokenRevoked ? .unauthorized : .notFound }
        var close: CloseCode { self == .jobNotKept ? .internalError : .policyViolation }
    }

    /// Tells a client why its socket cannot follow the job, and closes the socket.
    private func refuse(_ key: SocketKey, of id: JobID, v1: Bool, _ refusal: Refusal, _ turn: Turn) throws {
        let composer = FrameComposer(
            job: JobRow(awaited: id, now: turn.now.wall), counts: JobCounts(total: 0), now: turn.now)
        let reason = refusal.rawValue
        let frame = v1 ? try composer.v1Refusal(reason) : try composer.refusal(refusal.error, reason)
        context.deliver(frame, kind: .control, seq: 0, to: [key])
        streams.close([key], code: refusal.close, reason: reason)
    }

    private func session(
        _ subject: SocketSession.Subject, _ token: TokenState?, _ opening: ReadyHandshake.Opening, wait: Duration?,
        v1: Bool, _ turn: Turn
    ) -> SocketSession {
        var session = SocketSession(
            subject: subject, tokenNumber: token?.number,
            handshake: ReadyHandshake(opening: opening, waitUntil: wait.map { turn.now.uptime + $0 }),
            heartbeat: Heartbeat(now: turn.now.uptime), v1: v1)
        if let token, !token.superseded { session.tokenExpiresAt = token.expiresAt }
        session.isReadyNoted = token.map(tokens.wasReady) ?? false
        return session
    }

    private func add(_ session: SocketSession, key: SocketKey, _ turn: Turn) throws {
        streams[key] = session
        context.timers.set(.socket(key), at: session.nextPoll(policy: policy))
        guard let number = session.job else { return }
        watch(number, turn)
        if session.handshake.hasBegun { try streams.begin(key, turn) }
    }

    private func watch(_ number: Int64, _ turn: Turn) {
        guard jobs[number] != nil, context.timers.time(of: .keepAlive(job: number)) == nil else { return }
        context.timers.set(.keepAlive(job: number), at: turn.now.uptime + policy.keepAliveInterval)
    }

    /// Attaches the sockets without a token that were waiting for a job that now exists.
    func admitAwaiting(_ id: JobID, job: Int64, _ turn: Turn) throws {
        for key in streams.waiting(for: id) {
            streams[key]?.subject = .job(job)
            watch(job, turn)
            try streams.begin(key, turn)
        }
    }

    /// Handles an external `closeConnection`: before the terminal event, closes the job's connections with 1012; afterwards, closes with 1000 those
    /// that have received the event (websocket.md "Close codes"). Connections that are still waiting for their clients' `ready` receive the end of
    /// the job, and then end as usual.
    func closeConnections(of id: JobID, reason: String?, _ turn: Turn) throws {
        guard let row = try turn.jobs.job(id, at: turn.now.settled) else { throw HostFailure.noJob(id) }
        let open = streams.watchers(of: row.number).filter { streams[$0]?.isClosing == false }
        guard row.endedAt != nil else {
            return streams.close(Array(open), code: .serviceRestart, reason: reason ?? "closed by the server")
        }
        for key in open {
            if case .ended = streams[key]?.place {
                streams.close([key], code: .normal, reason: reason ?? "closed by the server")
            } else if streams[key]?.handshake.ready() == true {
                try streams.begin(key, turn)
            }
        }
    }

    // MARK: Heartbeat

    /// Records that the client sent something.
    func heard(_ key: SocketKey, _ turn: Turn) { streams[key]?.heartbeat.heard(now: turn.now.uptime) }

    /// Checks a socket's handshake, time limits and heartbeat.
    func poll(_ key: SocketKey, _ turn: Turn) throws {
        guard var session = streams[key], !session.isClosing else { return streams.forget(key) }
        if case .awaited(let id, let until) = session.subject, until <= turn.now.uptime {
            context.timers.set(.socket(key), at: turn.now.uptime + policy.pingInterval)
            return try refuse(key, of: id, v1: session.v1, .noSuchJob, turn)
        }
        if case .ended(let until) = session.place, until <= turn.now.uptime {
            context.timers.set(.socket(key), at: turn.now.uptime + policy.pingInterval)
            let reason =
                session.followsResults
                ? "the results are no longer followed" : "the client did not close the connection"
            return streams.close([key], code: .normal, reason: reason)
        }
        let begins = session.handshake.poll(now: turn.now.uptime)
        if session.isOneWay { session.heartbeat.heard(now: turn.now.uptime) }
        let beat = session.heartbeat.poll(
            now: turn.now.uptime, interval: policy.pingInterval, limit: policy.silenceTimeout)
        streams[key] = session
        context.timers.set(.socket(key), at: session.nextPoll(policy: policy))
        if begins { try beginWithoutReady(key, turn) }
        switch beat {
        case .nothing: break
        case .ping: try ping(key, turn)
        case .drop:
            context.timers.set(.socket(key), at: turn.now.uptime + policy.pingInterval)
            streams.close(
                [key], code: .tryAgainLater, reason: "no response for \(policy.silenceTimeout.components.seconds) s"
            )
        }
    }

    /// Begins the stream of a client that has not sent `ready` in time. The client may have received nothing so far, so if the job has not been
    /// started, a keep-alive follows soon.
    private func beginWithoutReady(_ key: SocketKey, _ turn: Turn) throws {
        try streams.begin(key, turn)
        guard let number = streams[key]?.job, jobs[number]?.row.status == .pending else { return }
        streams.hastenKeepAlive(number, turn)
    }

    /// Pings a client; a v1 client receives a keep-alive instead, because the dialect has no ping.
    private func ping(_ key: SocketKey, _ turn: Turn) throws {
        // v1 has no frame for a job that does not exist yet.
        guard let session = streams[key], session.job != nil else { return }
        let isV1 = session.v1
        try answer(key, kind: .ping, turn) { job, seq in
            guard isV1 else { return try ControlFrames(job: job, now: turn.now).ping(seq: seq) }
            return try jobs.composer(job, turn).v1Progress(keepAlive: true)
        }
    }

    // MARK: Client messages

    /// Handles a client's message (websocket.md "Client messages").
    func receive(_ text: String, from key: SocketKey, _ turn: Turn) throws {
        guard let session = streams[key], !session.isClosing else { return }
        heard(key, turn)
        let message: ClientMessage
        do {
            message = try ClientMessage(bytes: text.utf8)
        } catch {
            return streams.close([key], code: .protocolError, reason: error.rawValue)
        }
        switch message {
        case .ready: try ready(key, turn)
        case .ping(let clientTime):
            try answer(key, kind: .control, turn) {
                try ControlFrames(job: $0, now: turn.now).pong(clientTime: clientTime, seq: $1)
            }
        case .pong: break
        case .textPing: context.deliver(ByteBuffer(string: "\"PONG\""), kind: .text, seq: 0, to: [key])
        case .stateRequest(let v1): try stateRequest(key, v1: v1, turn)
        case .cancel: if let job = session.job { cancelSoon(job) }
        case .ack(let seq): try acknowledge(seq, session, turn)
        case .unknown(let type): ignore("type", type)
        case .unknownAction(let action):
            ignore("action", action)
            switchToV1(key)
        }
    }

    private func ignore(_ member: String, _ value: String) {
        unknownMessages += 1
        context.logger.debug(
            "unknown client message", metadata: ["\(member)": "\(value.prefix(64))", "count": "\(unknownMessages)"])
    }

    /// Switches a socket to the v1 dialect, because its client has shown that it speaks v1.
    private func switchToV1(_ key: SocketKey) {
        guard streams[key]?.v1 == false else { return }
        streams[key]?.v1 = true
        context.notify(SocketSpeaksV1.self, SocketSpeaksV1.Parameters(socket: key.socket), to: key.peer)
    }

    /// Records that a client has acknowledged every event up to `seq`. The acknowledgments of several clients are stored together.
    private func acknowledge(_ seq: Int, _ session: SocketSession, _ turn: Turn) throws {
        guard let token = session.tokenNumber, let row = try session.job.flatMap({ try jobs.row($0, turn) }) else {
            return
        }
        guard seq <= row.lastSeq else { return ignore("seq", "\(seq)") }
        tokens.acknowledge(seq, by: token)
        context.timers.setAtLatest(.acknowledgments, at: turn.now.uptime + policy.acknowledgmentPause)
    }

    private func cancelSoon(_ job: Int64) {
        if !context.isScheduled(.cancel(job: job)) { context.schedule(.cancel(job: job)) }
    }

    private func ready(_ key: SocketKey, _ turn: Turn) throws {
        try answer(key, kind: .readyAck, turn) { ControlFrames(job: $0, now: turn.now).readyAck(seq: $1) }
        _ = try beginNow(key, turn)
    }

    /// Begins the stream of a client that has sent a message; false if it had already begun, or if the job does not exist yet.
    private func beginNow(_ key: SocketKey, _ turn: Turn) throws -> Bool {
        guard let session = streams[key], session.job != nil else { return false }
        if let token = session.tokenNumber, !session.isReadyNoted {
            streams[key]?.isReadyNoted = true
            tokens.noteReady(token)
        }
        guard streams[key]?.handshake.ready() == true else { return false }
        try streams.begin(key, turn)
        return true
    }

    /// Begins the stream if necessary, and sends the current state unless the stream sends it as it begins.
    private func stateRequest(_ key: SocketKey, v1: Bool, _ turn: Turn) throws {
        if v1 { switchToV1(key) }
        let begins = try beginNow(key, turn)
        // A stream that has not begun yet sends the state when it begins.
        guard let session = streams[key], session.place != .beginning, !(begins && session.v1) else { return }
        try answer(key, kind: session.v1 ? .control : .reconnected, turn) { job, seq in
            let composer = try jobs.composer(job, turn)
            return session.v1 ? try composer.v1Progress() : try composer.reconnected(seq: seq, recovered: false)
        }
    }

    /// Sends a frame that is not an event to a session's socket. If the job does not exist yet, the frame describes a pending job without books.
    /// `compose` receives the job and the `seq` of the last event sent to the socket.
    private func answer(
        _ key: SocketKey, kind: SocketDelivery.Kind, _ turn: Turn, _ compose: (JobRow, Int) throws -> ByteBuffer
    ) throws {
        guard let session = streams[key], !session.isClosing else { return }
        let row =
            switch session.subject {
            case .job(let number): try jobs.row(number, turn)
            case .awaited(let id, _): JobRow(awaited: id, now: turn.now.wall)
            }
        guard let row else { return }
        let seq = session.lastSeq(of: row)
        context.deliver(try compose(row, seq), kind: kind, seq: seq, to: [key])
    }
}
