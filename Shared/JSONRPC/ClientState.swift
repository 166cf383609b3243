import NIOCore

/// State shared by a client's threads: the current connection and the callers waiting for one.
struct ClientState {
    typealias Waiter = UInt64
    typealias Continuation = CheckedContinuation<Result<Void, RPCError>, Never>

    private(set) var isShutDown = false
    /// The connection whose handshake is complete.
    private(set) var connection: RPCConnection?
    /// The current connection, whether or not its handshake is complete.
    private var current: RPCConnection?
    private var pause: Scheduled<Void>?
    private var waiters: [Waiter: Continuation] = [:]
    private var lastWaiter: Waiter = 0

    mutating func nextWaiter() -> Waiter {
        lastWaiter += 1
        return lastWaiter
    }

    /// Adds a waiting caller and returns nil, or returns the outcome if it is already known.
    mutating func wait(_ waiter: Waiter, _ continuation: Continuation) -> Result<Void, RPCError>? {
        if connection != nil { return .success(()) }
        if isShutDown { return .failure(.notConnected) }
        waiters[waiter] = continuation
        return nil
    }

    mutating func takeWaiter(_ waiter: Waiter) -> Continuation? {
        waiters.removeValue(forKey: waiter)
    }

    /// Stores a new connection; false if the client has been shut down.
    mutating func begin(_ connection: RPCConnection) -> Bool {
        guard !isShutDown else { return false }
        current = connection
        return true
    }

    /// Marks the handshake as complete. Returns the callers that were waiting for it, or nil if the client has been shut down.
    mutating func becomeConnected(_ connection: RPCConnection) -> [Continuation]? {
        guard !isShutDown else { return nil }
        self.connection = connection
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    /// Removes the dropped connection. Returns whether the client has been shut down.
    mutating func end() -> Bool {
        connection = nil
        current = nil
        return isShutDown
    }

    /// Stores the timer of a pause so that a shutdown can end the pause. Returns true if the client has been shut down and no pause should begin.
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
