import BookstrackContract
import Observability
import SuiteMethods

/// The state of a live socket, or of a one-way connection such as an event stream. Kept small, because there may be thousands of idle ones
/// (`BOOKSTRACK_MAX_SOCKETS`).
struct SocketSession {
    /// What the socket follows.
    enum Subject: Equatable {
        case job(Int64)
        /// The client connected without a token before its job existed (websocket.md "v1 dialect").
        case awaited(JobID, until: Duration)
    }

    /// The position of the event stream, once the handshake has begun it.
    enum Place: Equatable {
        /// The past events, or the v1 frame for the end of a completed job, have not been sent yet.
        case beginning
        /// A page of stored events was sent, up to this `seq`; the next page follows when api-proxy reports that the socket has taken this one.
        case paging(after: Int)
        /// The next page must be sent.
        case replaying(after: Int)
        /// Events are sent to the socket as they happen.
        case live
        /// The terminal frame was sent; the client has until this time to close the socket itself, or follows the results until this time.
        case ended(until: Duration)
    }

    var subject: Subject
    var place = Place.beginning
    var tokenNumber: Int64?
    /// The last known expiry of the token, in milliseconds since 1970; `.max` if it is not extended automatically.
    var tokenExpiresAt = Int64.max
    var handshake: ReadyHandshake
    var heartbeat: Heartbeat
    var v1: Bool
    /// Whether the client need not send anything, for example on an event stream, in a long poll, or for a job on `/ws/jobs` (streams.md). Such a
    /// client is neither pinged nor dropped for its silence; api-proxy reports when it is gone.
    var isOneWay = false
    /// Whether the socket stays open after the end of its job to report improved results (websocket.md "Following the results").
    var followsResults = false
    /// Whether the token has been recorded as that of a ready client.
    var isReadyNoted = false
    /// Whether a close was sent; no frame follows it.
    var isClosing = false

    var job: Int64? { if case .job(let number) = subject { number } else { nil } }

    /// Whether events are sent to the socket as they happen.
    var isLive: Bool { place == .live && !isClosing }

    /// Whether the client is currently notified of improved results.
    var isFollowing: Bool { if case .ended = place { followsResults && !isClosing } else { false } }

    /// Whether the engine has frames to send to the socket.
    var isInLine: Bool {
        guard handshake.hasBegun, !isClosing, job != nil else { return false }
        switch place {
        case .beginning, .replaying: return true
        case .paging, .live, .ended: return false
        }
    }

    /// `seq` of the last event sent on this connection; before the first event, the `seq` after which the stream was requested or resumed, or 0 if
    /// there is none (websocket.md "Frames").
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

    /// When the socket must be checked next.
    func nextPoll(policy: HostPolicy) -> Duration {
        var next = heartbeat.nextPoll(interval: policy.pingInterval, limit: policy.silenceTimeout)
        if let deadline = handshake.deadline { next = min(next, deadline) }
        if case .awaited(_, let until) = subject { next = min(next, until) }
        if case .ended(let until) = place { next = min(next, until) }
        return next
    }
}

/// Identifies a live socket: its number, and the connection to its api-proxy.
struct SocketKey: Hashable, Sendable {
    var peer: PeerID
    var socket: SocketID
}

/// Decides when an idle client is pinged and when it is disconnected (websocket.md "Heartbeat").
struct Heartbeat: Sendable, Equatable {
    /// The action that is due.
    enum Action: Sendable, Equatable {
        case nothing
        case ping
        case drop
    }

    // In milliseconds, which take half the space of a `Duration`.
    private var heardAt: Int64
    private var pingedAt: Int64?

    private var lastHeard: Duration { .milliseconds(heardAt) }
    private var lastPing: Duration? { pingedAt.map { .milliseconds($0) } }

    init(now: Duration) { heardAt = now.milliseconds }

    /// Records that the client sent something.
    mutating func heard(now: Duration) {
        heardAt = now.milliseconds
        pingedAt = nil
    }

    /// Returns the action that is due now: a ping once per interval of silence, and the disconnection at the limit.
    ///
    /// If this process itself was suspended in the meantime, the client still receives its ping and has time to answer it.
    mutating func poll(now: Duration, interval: Duration, limit: Duration) -> Action {
        let due = nextPoll(interval: interval, limit: limit)
        guard now >= due else { return .nothing }
        if lastPing != nil, now - lastHeard >= limit, now - due < interval { return .drop }
        pingedAt = now.milliseconds
        return .ping
    }

    /// When `poll` next has something to do, if the client sends nothing until then.
    func nextPoll(interval: Duration, limit: Duration) -> Duration {
        guard let lastPing else { return lastHeard + min(interval, limit) }
        return min(lastPing + interval, max(lastHeard + limit, lastPing + min(interval, limit - interval)))
    }
}
