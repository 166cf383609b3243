/// A transport for the events of a job. By default, transports are tried in this order.
public enum EventTransport: Int, Sendable, CaseIterable {
    /// The WebSocket `/ws/progress` (websocket.md).
    case webSocket
    /// Server-sent events (streams.md "Server-sent events").
    case eventStream
    /// Long polling: each read of the job's state after the first waits for the next event (streams.md "Polling"). Events between two reads are
    /// skipped.
    case polling
}

/// How a job is followed when connections break. By default, following gives up only for the permanent reasons listed in <doc:Reconnecting>.
public struct FollowPolicy: Sendable, Equatable {
    /// The allowed transports, at least one, in the order in which they are tried.
    public var transports: [EventTransport] = EventTransport.allCases
    /// Maximum delay before the first retry. It doubles with every attempt that delivers no event. The delay is a random value between 0 and this
    /// maximum ("full jitter"), so the clients of a restarted server do not reconnect simultaneously; a pause that the server requests is added to
    /// it. After close code 1012, the delay is this value plus up to 1 s.
    public var firstPause: Duration = .seconds(1)
    /// Upper limit for the maximum delay. After close code 1013, the delay is this value plus up to 5 s.
    public var longestPause: Duration = .seconds(30)
    /// Interval between pings on a WebSocket.
    public var pingInterval: Duration = .seconds(30)
    /// Number of pings in a row without any message from the server after which a connection is abandoned.
    public var missedPongs = 3
    /// How long a new connection may be silent. The server sends something immediately, so a silent connection is stuck at a proxy.
    public var openingDeadline: Duration = .seconds(15)
    /// Number of attempts that reach the server but receive no message after which the next transport is tried.
    public var attemptsPerTransport = 2
    /// How long one poll waits for an event; the server accepts 1 to 30 seconds.
    public var pollWait: Duration = .seconds(25)

    /// Whether to keep trying if the server cannot be reached at first. Otherwise, following fails immediately, as an interactive user expects.
    public var waitsForServer = true
    /// Maximum number of consecutive attempts without an event; following fails with the next such attempt. Nil means to continue until the task is
    /// cancelled.
    public var attemptLimit: Int?

    /// Creates the default policy.
    public init() {}
}

/// What happens on the connection through which a job is followed, for display in an app.
public enum ConnectionStatus: Sendable, Equatable {
    /// A connection attempt has begun.
    case connecting(EventTransport)
    /// The server has responded.
    case connected(EventTransport)
    /// A frame arrived. It is passed on as the server sent it (websocket.md "Frames"), before its event is delivered. Polling produces no frames.
    case received(String)
    /// A ping was answered after this time.
    case roundTrip(Duration)
    /// The connection broke or the attempt failed; the next attempt follows after the delay.
    case disconnected(BookstrackError, retryIn: Duration)
}
