import NIOCore

/// What a client's threads share: the current connection and the callers that wait for one.
struct ClientState {
    typealias Waiter = UInt64
    typealias Continuation = CheckedContinuation<Result<Void, RPCError>, Never>

    private(set) var isShutDown = false
    /// The connection whose handshake is done.
    private(set) var connection: RPCConnection?
    /// The connection that exists, its handshake done or not.
    private var current: RPCConnection?
    private var pause: Scheduled<Void>?
    private var waiters: [Waiter: Continuation] = [:]
    private var lastWaiter: Waiter = 0

    mutating func nextWaiter() -> Waiter {
        lastWaiter += 1
        return lastWaiter
    }

    /// Adds a waiting caller, or returns the outcome at once.
    mutating func wait(_ waiter: Waiter, _ continuation: Continuation) -> Result<Void, RPCError>? {
        if connection != nil { return .success(()) }
        if isShutDown { return .failure(.notConnected) }
        waiters[waiter] = continuation
        return nil
    }

    mutating func takeWaiter(_ waiter: Waiter) -> Continuation? {
        waiters.removeValue(forKey: waiter)
    }

    /// A connection was made; false when it comes too late.
    mutating func begin(_ connection: RPCConnection) -> Bool {
        guard !isShutDown else { return false }
        current = connection
        return true
    }

    /// The handshake is done: returns the callers that waited for it, or nil when the client is being shut down.
    mutating func becomeConnected(_ connection: RPCConnection) -> [Continuation]? {
        guard !isShutDown else { return nil }
        self.connection = connection
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    /// The connection is gone.
    mutating func end() -> Bool {
        connection = nil
        current = nil
        return isShutDown
    }

    /// Notes the timer of a pause, so that a shutdown may end it; true when it should not begin.
    mutating func pause(_ timer: Scheduled<Void>) -> Bool {
        pause = timer
        return isShutDown
    }

    mutating func shutDown() -> (RPCConnection?, Scheduled<Void>?, [Continuation]) {
        isShutDown = true
        defer { waiters = [:] }
        return (current, pause, Array(waiters.values))
    }
}
