import NIOCore

/// The state that a client's threads share: the current connection and the callers that wait for one.
struct ClientState {
    typealias Waiter = UInt64
    typealias Continuation = CheckedContinuation<Result<Void, RPCError>, Never>

    private(set) var isShutDown = false
    /// The connection whose handshake is done.
    private(set) var connection: RPCConnection?
    /// The current connection, whether or not its handshake is done.
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

    /// Takes a new connection; false if the client was shut down meanwhile.
    mutating func begin(_ connection: RPCConnection) -> Bool {
        guard !isShutDown else { return false }
        current = connection
        return true
    }

    /// Marks the handshake as done. Returns the callers that waited for it, or nil if the client was shut down.
    mutating func becomeConnected(_ connection: RPCConnection) -> [Continuation]? {
        guard !isShutDown else { return nil }
        self.connection = connection
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    /// Removes the connection that has dropped. Returns whether the client was shut down.
    mutating func end() -> Bool {
        connection = nil
        current = nil
        return isShutDown
    }

    /// Keeps the timer of a pause, so that a shutdown can end it. Returns true if the client was shut down, so that no
    /// pause should begin.
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
