/// Holds a connection's stream back until its client is ready (websocket.md "Connection lifetime").
struct ReadyHandshake: Sendable, Equatable {
    /// How the stream of a connection begins.
    enum Opening: Sendable, Equatable {
        /// First connection: the job's start and newest progress, then live events; if the job has ended, only its end.
        case fresh
        /// `reconnected` with the current state, then live events.
        case reconnected
        /// `reconnected` with `recovered`, then every event after this `seq`, then live events; like `reconnected` if this is not possible.
        case since(Int)
        /// No opening frame: the stream continues after this `seq`, unnoticed by the client; like `reconnected` if events after it are no longer
        /// stored.
        case resumed(after: Int)
    }

    let opening: Opening
    /// When waiting times out; nil once the handshake has ended.
    private(set) var deadline: Duration?

    /// Creates a handshake that waits until `deadline`, or that has already ended if `deadline` is nil.
    init(opening: Opening, waitUntil deadline: Duration?) {
        self.opening = opening
        self.deadline = deadline
    }

    var hasBegun: Bool { deadline == nil }

    /// Handles the client's `ready`; returns whether its stream begins now.
    mutating func ready() -> Bool {
        defer { deadline = nil }
        return !hasBegun
    }

    /// Ends the wait if its deadline has passed; returns whether the stream begins now.
    mutating func poll(now: Duration) -> Bool {
        guard let deadline, now >= deadline else { return false }
        self.deadline = nil
        return true
    }
}

extension ReadyHandshake.Opening {
    /// The opening requested by a client when it connected: `since=SEQ` takes precedence over `reconnect=true`.
    init(since: Int?, reconnect: Bool) {
        self = since.map { .since($0) } ?? (reconnect ? .reconnected : .fresh)
    }
}
