package import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix

/// A connection to a server; it is reestablished automatically when it drops.
package final class RPCClient: Sendable {
    private let path: String
    private let router: RPCRouter
    private let limits: RPCLimits
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let pingInterval: Duration?
    private let reconnect: ReconnectBackoff
    private let onConnect: @Sendable (RPCConnection) async throws -> Void
    private let onDisconnect: @Sendable (RPCError?) -> Void
    private let state = NIOLockedValueBox(ClientState())

    /// - Parameters:
    ///   - pingInterval: How often a silent peer is pinged; nil for never. A peer that stays silent for 3.5 intervals is disconnected.
    ///   - reconnect: The delays between connection attempts.
    ///   - onConnect: Performs the handshake, before ``isConnected`` becomes true. If it throws, the client closes the connection and retries.
    ///   - onDisconnect: Called after an established connection has dropped; the error is nil if ``shutdown()`` or the
    ///     cancellation of ``run()`` ended it.
    package init(
        path: String, router: RPCRouter, limits: RPCLimits = .init(), group: any EventLoopGroup, logger: Logger,
        pingInterval: Duration? = .seconds(2), reconnect: ReconnectBackoff = .init(),
        onConnect: @escaping @Sendable (RPCConnection) async throws -> Void = { _ in },
        onDisconnect: @escaping @Sendable (RPCError?) -> Void = { _ in }
    ) {
        self.path = path
        self.router = router
        self.limits = limits
        self.eventLoop = group.next()
        var logger = logger
        logger[metadataKey: "socket"] = "\(path)"
        self.logger = logger
        self.pingInterval = pingInterval
        self.reconnect = reconnect
        self.onConnect = onConnect
        self.onDisconnect = onDisconnect
    }

    /// Whether there is a connection with a completed handshake.
    package var isConnected: Bool { connection != nil }

    /// The current connection, once its handshake is complete; nil if there is none.
    package var connection: RPCConnection? { state.withLockedValue { $0.connection } }

    /// Connects, and reconnects when the connection drops, until ``shutdown()`` or until the task is cancelled.
    package func run() async {
        await withTaskCancellationHandler {
            var backoff = reconnect
            var random = SystemRandomNumberGenerator()
            while !state.withLockedValue({ $0.isShutDown }) {
                if await connectOnce() { backoff.reset() }
                await pause(backoff.next(using: &random))
            }
        } onCancel: {
            beginShutdown()
        }
    }

    /// Closes the connection and ends ``run()``; calls in flight fail with `connectionLost`.
    package func shutdown() async {
        try? await beginShutdown()?.closed.get()
    }

    /// Waits for a connection with a completed handshake.
    ///
    /// - Throws: `notConnected` if there is none in time or the client was shut down; `cancelled` if the task was cancelled.
    package func waitUntilConnected(within limit: Duration) async throws(RPCError) {
        let waiter = state.withLockedValue { $0.nextWaiter() }
        let end = eventLoop.now + limit.timeAmount
        let timer = eventLoop.scheduleTask(deadline: end) { self.resume(waiter, .failure(.notConnected)) }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLockedValue { $0.wait(waiter, continuation) }
                if let early { continuation.resume(returning: early) }
                // The cancellation or the deadline may have come before the waiter was added.
                if Task.isCancelled { resume(waiter, .failure(.cancelled)) }
                if eventLoop.now >= end { resume(waiter, .failure(.notConnected)) }
            }
        } onCancel: {
            resume(waiter, .failure(.cancelled))
        }
        try outcome.get()
    }

    private func resume(_ waiter: ClientState.Waiter, _ outcome: Result<Void, RPCError>) {
        state.withLockedValue { $0.takeWaiter(waiter) }?.resume(returning: outcome)
    }
}

// MARK: Connecting

extension RPCClient {
    /// Runs one connection from the connection attempt to its end.
    ///
    /// - Returns: Whether the connection became available to callers.
    private func connectOnce() async -> Bool {
        let connection: RPCConnection
        do {
            connection = try await connect()
        } catch {
            logger.debug("no connection", metadata: ["error": "\(error)"])
            return false
        }
        guard state.withLockedValue({ $0.begin(connection) }) else {
            connection.close()
            return false
        }
        do {
            // The kernel accepts connections even for a stopped process, so only a response shows that the process is alive.
            if let pingInterval { _ = try await connection.callRaw(Ping.name, Ping.body, deadline: pingInterval) }
            try await onConnect(connection)
        } catch {
            logger.warning("handshake failed", metadata: ["error": "\(error)"])
            connection.close()
            try? await connection.closed.get()
            _ = state.withLockedValue { $0.end() }
            return false
        }
        return await hold(connection)
    }

    /// Makes a connection available to callers until it drops.
    ///
    /// - Returns: False if the connection dropped, or the client was shut down, before the connection became available.
    private func hold(_ connection: RPCConnection) async -> Bool {
        let waiters = connection.isOpen ? state.withLockedValue { $0.becomeConnected(connection) } : nil
        if let waiters {
            logger.notice("connected", metadata: ["connection": "\(connection.id)"])
            for waiter in waiters { waiter.resume(returning: .success(())) }
        }
        try? await connection.closed.get()
        let isShutDown = state.withLockedValue { $0.end() }
        guard waiters != nil else { return false }
        logger.notice("disconnected", metadata: ["connection": "\(connection.id)"])
        onDisconnect(isShutDown ? nil : .connectionLost)
        return true
    }

    private func connect() async throws -> RPCConnection {
        try await ClientBootstrap(group: eventLoop)
            .connect(unixDomainSocketPath: path)
            .flatMap { channel in
                PeerCredentials.of(channel).flatMapThrowing { peer in
                    let connection = RPCConnection(
                        channel: channel, peer: peer, router: self.router, limits: self.limits, logger: self.logger)
                    let observer = ConnectionHandler.Observer(connected: { _ in }, disconnected: { _ in })
                    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection, observer: observer))
                    if let interval = self.pingInterval { PeerPinger(connection, interval: interval).look() }
                    return connection
                }
            }.get()
    }

    private func pause(_ length: Duration) async {
        let timer = eventLoop.scheduleTask(in: length.timeAmount) {}
        let isShutDown = state.withLockedValue { $0.pause(timer) }
        if isShutDown { timer.cancel() }
        try? await timer.futureResult.get()
    }

    @discardableResult
    private func beginShutdown() -> RPCConnection? {
        let (connection, pause, waiters) = state.withLockedValue { $0.shutDown() }
        pause?.cancel()
        for waiter in waiters { waiter.resume(returning: .failure(.notConnected)) }
        connection?.close()
        return connection
    }
}

extension RPCClient {
    /// Like ``RPCConnection/call(_:_:deadline:)`` on the current connection.
    ///
    /// - Throws: ``RPCError``; `notConnected` if there is none.
    package func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, deadline: Duration? = nil
    ) async throws(RPCError) -> Method.Result {
        guard let connection else { throw .notConnected }
        return try await connection.call(method, parameters, deadline: deadline)
    }

    /// Like ``RPCConnection/callRaw(_:_:deadline:)`` on the current connection.
    ///
    /// - Throws: ``RPCError``; `notConnected` if there is none.
    package func callRaw(
        _ name: String, _ parameters: ByteBuffer, deadline: Duration
    ) async throws(RPCError) -> ByteBuffer {
        guard let connection else { throw .notConnected }
        return try await connection.callRaw(name, parameters, deadline: deadline)
    }

    /// Like ``RPCConnection/call(_:_:completing:)`` on the current connection; completes with `notConnected` if there is none.
    package func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        completing complete: @escaping @Sendable (Result<Method.Result, RPCError>) -> Void
    ) {
        guard let connection else { return complete(.failure(.notConnected)) }
        connection.call(method, parameters, completing: complete)
    }

    /// Like ``RPCConnection/callRaw(_:_:deadline:completing:)`` on the current connection; completes with `notConnected` if there is none.
    package func callRaw(
        _ name: String, _ parameters: ByteBuffer, deadline: Duration,
        completing complete: @escaping @Sendable (Result<ByteBuffer, RPCError>) -> Void
    ) {
        guard let connection else { return complete(.failure(.notConnected)) }
        connection.callRaw(name, parameters, deadline: deadline, completing: complete)
    }

    /// Like ``RPCConnection/notify(_:_:)``; if there is no connection, the notification is dropped and the result is false.
    @discardableResult
    package func notify<Notification: RPCNotification>(
        _ notification: Notification.Type, _ parameters: Notification.Parameters
    ) -> Bool {
        connection?.notify(notification, parameters) ?? false
    }

    /// Like ``RPCConnection/notifyRaw(_:_:)``; if there is no connection, the notification is dropped and the result is false.
    @discardableResult
    package func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool {
        connection?.notifyRaw(name, parameters) ?? false
    }
}

/// Delay before the next connection attempt. It doubles from `base` to `cap`, and a random part of up to half is subtracted, so the clients of a
/// restarted server do not reconnect simultaneously.
package struct ReconnectBackoff: Sendable {
    private let base: Duration
    private let cap: Duration
    private var failures = 0

    package init(base: Duration = .milliseconds(50), cap: Duration = .seconds(2)) {
        self.base = base
        self.cap = cap
    }

    /// Returns the delay before the next attempt: between half and all of `min(cap, base × 2ⁿ)`, where `n` is the number of delays since the last
    /// reset.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let full = min(cap, base * (1 << min(failures, 16)))
        failures += 1
        return full * Double.random(in: 0.5...1, using: &random)
    }

    /// Resets the delay after a successful connection.
    package mutating func reset() {
        failures = 0
    }
}
