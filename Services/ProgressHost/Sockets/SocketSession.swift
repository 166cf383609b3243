import BookstrackContract

/// One live socket as the host sees it. Kept small: 10 000 idle ones are usual.
struct SocketSession {
    /// What the socket watches.
    enum Subject: Equatable {
        case job(Int64)
        /// A tokenless client came before its job (spec/03 "v1 dialect").
        case awaited(JobID, until: Duration)
    }

    var subject: Subject
    var tokenNumber: Int64?
    /// When the token ends, milliseconds since 1970, as far as the session knows; `.max` when it does not move on by itself.
    var tokenExpiresAt = Int64.max
    var handshake: ReadyHandshake
    var heartbeat: Heartbeat
    var v1: Bool
    /// A close was sent; nothing follows.
    var isClosing = false

    var job: Int64? { if case .job(let number) = subject { number } else { nil } }

    /// Whether events go to the socket as they happen.
    var isLive: Bool { handshake.hasBegun && !isClosing && job != nil }

    /// When the socket next needs a look.
    func nextPoll(policy: HostPolicy) -> Duration {
        var next = heartbeat.nextPoll(interval: policy.pingInterval, limit: policy.silenceLimit)
        if let deadline = handshake.deadline { next = min(next, deadline) }
        if case .awaited(_, let until) = subject { next = min(next, until) }
        return next
    }
}
