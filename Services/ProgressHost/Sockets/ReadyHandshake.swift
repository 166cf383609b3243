/// Holds a connection's stream back until its client is ready (websocket.md "Connection lifetime").
struct ReadyHandshake: Sendable, Equatable {
    /// How the stream of a connection begins.
    enum Opening: Sendable, Equatable {
        /// First connection: `job_started`, the newest `job_progress`, then live events.
        case fresh
        /// `reconnected` with the current state, then live events.
        case reconnected
        /// `reconnected` with `recovered`, then every event after this `seq`, then live events; like `reconnected` if not all of them are stored.
        case since(Int)
        /// No opening frame: the stream continues after this `seq`, unnoticed by the client; like `reconnected` if events after it are no longer
        /// stored.
        case resumed(after: Int)
    }

    private enum State: Sendable, Equatable {
        case waiting(until: Duration)
        case begun
    }

    let opening: Opening
    private var state: State

    /// Creates a handshake that waits until `deadline`, or that has already ended if `deadline` is nil.
    init(opening: Opening, waitUntil deadline: Duration?) {
        self.opening = opening
        state = deadline.map(State.waiting) ?? .begun
    }

    var hasBegun: Bool { state == .begun }

    /// When waiting times out; nil once the stream has begun.
    var deadline: Duration? {
        if case .waiting(let until) = state { until } else { nil }
    }

    /// Handles the client's `ready`; returns whether its stream begins now.
    mutating func ready() -> Bool {
        defer { state = .begun }
        return !hasBegun
    }

    /// Ends the wait if its deadline has passed; returns whether the stream begins now.
    mutating func poll(now: Duration) -> Bool {
        guard let deadline, now >= deadline else { return false }
        state = .begun
        return true
    }
}

extension ReadyHandshake.Opening {
    /// The opening requested by a client when it connected: `since=SEQ` takes precedence over `reconnect=true`.
    init(since: Int?, reconnect: Bool) {
        self = since.map { .since($0) } ?? (reconnect ? .reconnected : .fresh)
    }
}
