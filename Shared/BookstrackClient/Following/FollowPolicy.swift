/// A way in which events of a job arrive. In this order they are tried.
public enum EventTransport: Int, Sendable, CaseIterable {
    /// `/ws/progress` (websocket.md).
    case webSocket
    /// Server-sent events (streams.md "Server-sent events").
    case eventStream
    /// Reading the state of the job, which waits for the next event (streams.md "Polling"). Events between two answers are left out.
    case polling
}

/// How a job is followed when connections break. The defaults are those of the contract.
public struct FollowPolicy: Sendable, Equatable {
    /// The transports that may be used, in the order in which they are tried.
    public var transports: [EventTransport] = EventTransport.allCases
    /// Largest pause before the first new attempt. It doubles with every attempt that brought nothing; the pause itself is random between 0 and that
    /// ("full jitter"), so that the clients of a restarted server do not come back together.
    public var firstPause: Duration = .seconds(1)
    /// Largest pause of all.
    public var longestPause: Duration = .seconds(30)
    /// Time between two pings on a WebSocket.
    public var pingInterval: Duration = .seconds(30)
    /// A connection with so many pings in a row that were not answered is given up.
    public var missedPongs = 3
    /// How long a new connection may be silent. The server says something at once, so a silent one ends in a proxy.
    public var openingDeadline: Duration = .seconds(15)
    /// After so many attempts that brought nothing, the next transport is tried.
    public var attemptsPerTransport = 2
    /// How long one poll waits for an event; the server takes 1 to 30 seconds.
    public var pollWait: Duration = .seconds(25)

    /// Whether a server that cannot be reached when a job is first followed is waited for. Otherwise following fails immediately, as an
    /// interactive user expects.
    public var waitsForServer = true
    /// Following fails after this many consecutive attempts without an event; nil: it continues until the task is cancelled.
    public var attemptLimit: Int?

    /// The contract's values.
    public init() {}
}

/// What happens to the connection of a job that is followed, for an app that shows it.
public enum ConnectionStatus: Sendable, Equatable {
    /// An attempt has begun.
    case connecting(EventTransport)
    /// The server has answered.
    case connected(EventTransport)
    /// A frame came, as the server sent it (websocket.md "Frames"), before its event is delivered. Polls bring none.
    case received(String)
    /// A ping was answered after this time.
    case roundTrip(Duration)
    /// The connection broke, or the attempt failed; the next one follows after the pause.
    case disconnected(BookstrackError, retryIn: Duration)
}
