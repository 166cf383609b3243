import BookstrackContract
import Logging
import SuiteMethods

extension JobEngine {
    /// Registers a socket whose client proved its right to the job, before the 101 (spec/03 "Upgrade").
    func open(_ socket: SocketID, _ request: SocketRequest, from link: any PeerLink, _ turn: Turn) throws
        -> OpenSocket.Result
    {
        links[link.id] = link
        let key = SocketKey(peer: link.id, socket: socket)
        let subject: SocketSession.Subject
        var token: Int64?
        if request.token == nil, policy.tokenlessAllowed {
            subject =
                try turn.jobs.job(request.jobId).map { .job($0.number) }
                ?? .awaited(request.jobId, until: turn.now.uptime + policy.jobAppearanceLimit)
        } else {
            let proved = try authorize(JobAccess(jobId: request.jobId, token: request.token ?? ""), turn)
            subject = .job(proved.job)
            token = proved.token
        }
        let opening: ReadyHandshake.Opening =
            request.since.map { .since($0) } ?? (request.reconnect ? .reconnected : .fresh)
        let v1 = request.v1 || request.token == nil
        let wasReady = token.map { token in subjectJob(subject)?.readyTokens.contains(token) == true } ?? false
        let waits = opening == .fresh && !v1 && !wasReady
        try add(
            SocketSession(
                subject: subject, tokenNumber: token,
                handshake: ReadyHandshake(
                    opening: opening, waitUntil: waits ? turn.now.uptime + policy.readyTimeout : nil),
                heartbeat: Heartbeat(now: turn.now.uptime), v1: v1), key: key, turn)
        return OpenSocket.Result(tokenNumber: token)
    }

    /// Takes live sockets up again after this process or the connection to api-proxy was restarted (spec/01 rule 5).
    func resume(_ sockets: [ResumeSockets.LiveSocket], from link: any PeerLink, _ turn: Turn) throws {
        links[link.id] = link
        for live in sockets {
            let key = SocketKey(peer: link.id, socket: live.socket)
            guard let row = try turn.jobs.job(live.jobId) else {
                close([key], code: .internalError, reason: "the job is no longer kept")
                continue
            }
            if let token = live.tokenNumber, try turn.tokens.token(number: token)?.revoked == true {
                close([key], code: .policyViolation, reason: "token revoked")
                continue
            }
            let opening: ReadyHandshake.Opening =
                live.begun
                ? .resumed(after: live.lastSeq)
                : live.since.map { .since($0) } ?? (live.reconnect ? .reconnected : .fresh)
            let waits = opening == .fresh && !live.v1
            try add(
                SocketSession(
                    subject: .job(row.number), tokenNumber: live.tokenNumber,
                    handshake: ReadyHandshake(
                        opening: opening, waitUntil: waits ? turn.now.uptime + policy.readyTimeout : nil),
                    heartbeat: Heartbeat(now: turn.now.uptime), v1: live.v1), key: key, turn)
        }
    }

    private func subjectJob(_ subject: SocketSession.Subject) -> ActiveJob? {
        if case .job(let number) = subject { jobs[number] } else { nil }
    }

    private func add(_ session: SocketSession, key: SocketKey, _ turn: Turn) throws {
        forget(key)
        sessions[key] = session
        switch session.subject {
        case .job(let number): watch(number, key, turn)
        case .awaited(let id, _): awaiting[id, default: []].append(key)
        }
        timers.set(.socket(key), at: session.nextPoll(policy: policy))
        if session.handshake.hasBegun, session.job != nil { try begin(key, turn) }
    }

    private func watch(_ number: Int64, _ key: SocketKey, _ turn: Turn) {
        if watchers[number] == nil, jobs[number] != nil {
            timers.set(.keepAlive(job: number), at: turn.now.uptime + policy.keepAliveInterval)
        }
        watchers[number, default: []].insert(key)
    }

    /// The job that tokenless sockets wait for is there.
    func admitAwaiting(_ id: JobID, job: Int64, _ turn: Turn) throws {
        for key in awaiting.removeValue(forKey: id) ?? [] where sessions[key] != nil {
            sessions[key]?.subject = .job(job)
            watch(job, key, turn)
            try begin(key, turn)
        }
    }

    /// A socket is gone.
    func forget(_ key: SocketKey) {
        guard let session = sessions.removeValue(forKey: key) else { return }
        switch session.subject {
        case .job(let number):
            watchers[number]?.remove(key)
            if watchers[number]?.isEmpty == true { watchers[number] = nil }
        case .awaited(let id, _): awaiting[id]?.removeAll { $0 == key }
        }
    }

    /// The peer gave a sign of life.
    func heard(_ key: SocketKey, _ turn: Turn) { sessions[key]?.heartbeat.heard(now: turn.now.uptime) }

    /// Handshake and heartbeat of one socket.
    func pollSocket(_ key: SocketKey, _ turn: Turn) throws {
        guard var session = sessions[key], !session.isClosing else { return }
        if case .awaited(_, let until) = session.subject, until <= turn.now.uptime {
            return close([key], code: .policyViolation, reason: "no such job")
        }
        let begins = session.handshake.poll(now: turn.now.uptime)
        let beat = session.heartbeat.poll(
            now: turn.now.uptime, interval: policy.pingInterval, limit: policy.silenceLimit)
        sessions[key] = session
        if begins { try begin(key, turn) }
        switch beat {
        case .nothing: break
        case .ping: try answer(key, kind: .ping, turn) { try $0.ping() }
        case .drop:
            return close(
                [key], code: .tryAgainLater, reason: "no sign of life for \(policy.silenceLimit.components.seconds) s")
        }
        timers.set(.socket(key), at: session.nextPoll(policy: policy))
    }

    /// Acts on a client's message (spec/03, "client sends").
    func receive(_ text: String, from key: SocketKey, _ turn: Turn) throws {
        guard let session = sessions[key], !session.isClosing else { return }
        heard(key, turn)
        let message: ClientMessage
        do {
            message = try ClientMessage(bytes: text.utf8)
        } catch {
            return close([key], code: .protocolError, reason: error.rawValue)
        }
        switch message {
        case .ready: try ready(key, turn)
        case .ping(let clientTime): try answer(key, kind: .control, turn) { try $0.pong(clientTime: clientTime) }
        case .pong: break
        case .textPing: deliver(Array("\"PONG\"".utf8), kind: .text, seq: 0, to: [key])
        case .stateRequest(let v1):
            if v1 { sessions[key]?.v1 = true }
            if sessions[key]?.handshake.hasBegun == false { try ready(key, acknowledged: false, turn) }
            try sendState(key, turn)
        case .cancel: if let job = session.job { durableSteps.append(.cancel(job: job)) }
        case .unknown(let type):
            logger.debug("unknown client message", metadata: ["type": "\(type.prefix(64))"])
        }
    }

    private func ready(_ key: SocketKey, acknowledged: Bool = true, _ turn: Turn) throws {
        guard let session = sessions[key], let number = session.job else { return }
        if let token = session.tokenNumber { jobs[number]?.readyTokens.insert(token) }
        if acknowledged { try answer(key, kind: .control, turn) { try $0.readyAck() } }
        if sessions[key]?.handshake.ready() == true { try begin(key, turn) }
    }

    /// Sends a frame about the session's job to its socket.
    private func answer(
        _ key: SocketKey, kind: SocketDelivery.Kind, _ turn: Turn, _ compose: (FrameComposer) throws -> [UInt8]
    ) throws {
        guard let number = sessions[key]?.job, let row = try row(number, turn) else { return }
        let composer = FrameComposer(job: row, counts: try counts(row, turn), now: turn.now)
        deliver(try compose(composer), kind: kind, seq: row.lastSeq, to: [key])
    }

    private func sendState(_ key: SocketKey, _ turn: Turn) throws {
        guard let session = sessions[key], let number = session.job, let row = try row(number, turn) else { return }
        try answer(key, kind: .control, turn) { composer in
            session.v1 ? try composer.v1Progress() : try composer.reconnected(seq: row.lastSeq, recovered: false)
        }
    }

    /// `closeConnection` from outside: before the terminal event 1012, after it as the end was (spec/07).
    func closeConnections(of id: JobID, reason: String?, _ turn: Turn) throws {
        guard let row = try turn.jobs.job(id) else { throw HostFailure.noJob(id) }
        let keys = Array(watchers[row.number] ?? [])
        close(keys, code: row.status.closeCode ?? .serviceRestart, reason: reason ?? "closed by the server")
    }

    /// Closes sockets after what was delivered to them before.
    func close(_ keys: [SocketKey], code: CloseCode, reason: String) {
        for key in keys { sessions[key]?.isClosing = true }
        for (peer, group) in Dictionary(grouping: keys, by: \.peer) {
            notify(
                CloseSockets.self,
                CloseSockets.Parameters(sockets: group.map(\.socket), code: code, reason: reason), to: peer)
        }
    }
}

extension JobStatus {
    /// How sockets of a job that is over are closed (spec/03 "Close codes"); nil while it is not over.
    var closeCode: CloseCode? {
        switch self {
        case .completed: .normal
        case .cancelled: .goingAway
        case .failed: .internalError
        case .pending, .processing, .cancelling: nil
        }
    }
}
