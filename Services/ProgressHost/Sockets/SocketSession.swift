import BookstrackContract
import SuiteMethods

/// One live socket as the host sees it. Kept small: 10 000 idle ones are usual.
struct SocketSession {
    /// What the socket watches.
    enum Subject: Equatable {
        case job(Int64)
        /// A tokenless client came before its job (websocket.md "v1 dialect").
        case awaited(JobID, until: Duration)
    }

    /// How far the stream of events has come, once the handshake has begun it.
    enum Place: Equatable {
        /// What has happened so far is still to be sent.
        case beginning
        /// A page of stored events was sent, up to this `seq`; the next follows when api-proxy says that the socket has taken it.
        case paging(after: Int)
        /// The next page is to be sent.
        case replaying(after: Int)
        /// Events go to the socket as they happen.
        case live
        /// The terminal frame was sent, and until then the client may close the socket itself.
        case ended(until: Duration)
    }

    var subject: Subject
    var place = Place.beginning
    var tokenNumber: Int64?
    /// When the token ends, milliseconds since 1970, as far as the session knows; `.max` when it does not move on automatically.
    var tokenExpiresAt = Int64.max
    var handshake: ReadyHandshake
    var heartbeat: Heartbeat
    var v1: Bool
    /// Its token is noted as that of a client that was ready.
    var isReadyNoted = false
    /// A close was sent; nothing follows.
    var isClosing = false

    var job: Int64? { if case .job(let number) = subject { number } else { nil } }

    /// Whether events go to the socket as they happen.
    var isLive: Bool { place == .live && !isClosing }

    /// Whether the socket waits for the engine to send something of its stream.
    var isInLine: Bool {
        guard handshake.hasBegun, !isClosing, job != nil else { return false }
        switch place {
        case .beginning, .replaying: return true
        case .paging, .live, .ended: return false
        }
    }

    /// `seq` of the last event that was sent on this connection; before the first the one that its client named, else 0 (websocket.md
    /// "Frames").
    func lastSeq(of job: JobRow) -> Int {
        let seq =
            switch (place, handshake.opening) {
            case (.live, _), (.ended, _): job.lastSeq
            case (.paging(let seq), _), (.replaying(let seq), _): seq
            case (.beginning, .since(let seq)), (.beginning, .resumed(let seq)): seq
            case (.beginning, .fresh), (.beginning, .reconnected): 0
            }
        return max(0, min(seq, job.lastSeq))
    }

    /// When the socket next needs a look.
    func nextPoll(policy: HostPolicy) -> Duration {
        var next = heartbeat.nextPoll(interval: policy.pingInterval, limit: policy.silenceTimeout)
        if let deadline = handshake.deadline { next = min(next, deadline) }
        if case .awaited(_, let until) = subject { next = min(next, until) }
        if case .ended(let until) = place { next = min(next, until) }
        return next
    }
}

/// Names a live socket: its number and the api-proxy connection it is held by.
struct SocketKey: Hashable, Sendable {
    var peer: PeerID
    var socket: SocketID
}

/// Decides when an idle peer is pinged and when it is disconnected (websocket.md "Heartbeat").
struct Heartbeat: Sendable, Equatable {
    /// What is due.
    enum Action: Sendable, Equatable {
        case nothing
        case ping
        case drop
    }

    private var lastHeard: Duration
    private var lastPing: Duration?

    init(now: Duration) { lastHeard = now }

    /// The peer sent something.
    mutating func heard(now: Duration) {
        lastHeard = now
        lastPing = nil
    }

    /// What is due now: a ping once per interval of silence, and the drop at the limit.
    ///
    /// When this process itself was suspended meanwhile, the peer still gets its ping and the time to answer it.
    mutating func poll(now: Duration, interval: Duration, limit: Duration) -> Action {
        let due = nextPoll(interval: interval, limit: limit)
        guard now >= due else { return .nothing }
        if lastPing != nil, now - lastHeard >= limit, now - due < interval { return .drop }
        lastPing = now
        return .ping
    }

    /// When `poll` has something to do, if nothing is heard until then.
    func nextPoll(interval: Duration, limit: Duration) -> Duration {
        guard let lastPing else { return lastHeard + min(interval, limit) }
        return min(lastPing + interval, max(lastHeard + limit, lastPing + min(interval, limit - interval)))
    }
}
