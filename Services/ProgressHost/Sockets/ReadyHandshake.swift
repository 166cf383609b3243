/// Holds a connection's stream back until its client is ready (websocket.md "Connection lifetime").
struct ReadyHandshake: Sendable, Equatable {
    /// How the stream of a connection begins.
    enum Opening: Sendable, Equatable {
        /// First connection: `job_started`, the newest `job_progress`, then live.
        case fresh
        /// `reconnected` with the true state, then live.
        case reconnected
        /// `reconnected` with `recovered`, then every stored event after it, then live.
        case since(Int)
        /// No frame of its own: continues after this `seq`, unseen by the client.
        case resumed(after: Int)
    }

    private enum State: Sendable, Equatable {
        case waiting(until: Duration)
        case begun
    }

    let opening: Opening
    private var state: State

    /// A handshake that lasts until `deadline`, or that is over at once when there is nothing to wait for.
    init(opening: Opening, waitUntil deadline: Duration?) {
        self.opening = opening
        state = deadline.map(State.waiting) ?? .begun
    }

    var hasBegun: Bool { state == .begun }

    /// When waiting times out.
    var deadline: Duration? {
        if case .waiting(let until) = state { until } else { nil }
    }

    /// The client said `ready`: whether its stream begins now.
    mutating func ready() -> Bool {
        defer { state = .begun }
        return !hasBegun
    }

    /// Whether the wait is over and the stream begins now.
    mutating func poll(now: Duration) -> Bool {
        guard let deadline, now >= deadline else { return false }
        state = .begun
        return true
    }
}

extension ReadyHandshake.Opening {
    /// What a client asked for when it connected: `since=SEQ` says more than `reconnect=true`.
    init(since: Int?, reconnect: Bool) {
        self = since.map { .since($0) } ?? (reconnect ? .reconnected : .fresh)
    }
}
