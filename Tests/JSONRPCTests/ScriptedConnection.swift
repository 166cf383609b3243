import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
@testable import JSONRPC

/// A connection whose peer is the test, frame by frame, and whose clock the test advances.
struct ScriptedConnection {
    let channel: NIOAsyncTestingChannel
    let connection: RPCConnection

    init(_ router: RPCRouter = RPCRouter(), limits: RPCLimits = RPCLimits()) async throws {
        let channel = NIOAsyncTestingChannel()
        self.channel = channel
        connection = try await channel.testingEventLoop.executeInContext {
            let connection = RPCConnection(
                channel: channel, peer: PeerCredentials(pid: 1, uid: 1, gid: 1), router: router, limits: limits,
                logger: .silent)
            let observer = ConnectionHandler.Observer(connected: { _ in }, disconnected: { _ in })
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection, observer: observer))
            return connection
        }
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/peer"))
    }

    /// Receives raw bytes.
    func receive(bytes: ByteBuffer) async throws {
        try await channel.writeInbound(bytes)
        await channel.testingEventLoop.run()
    }

    /// Receives one line.
    func receive(_ line: String) async throws {
        try await receive(bytes: ByteBuffer(string: line + "\n"))
    }

    /// Waits for the connection's next write, and returns it without its final line ending.
    func sent() async throws -> String {
        await channel.testingEventLoop.run()
        var line = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
        await channel.testingEventLoop.run()
        return line.readString(length: line.readableBytes - 1) ?? ""
    }

    /// The connection's next write if it has happened already; does not wait.
    func sentNow() async throws -> String? {
        await channel.testingEventLoop.run()
        return try await channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
    }

    func advance(by length: TimeAmount) async {
        await channel.testingEventLoop.advanceTime(by: length)
    }

    var isClosed: Bool {
        get async {
            await channel.testingEventLoop.run()
            return !channel.isActive
        }
    }
}

/// Blocks handlers until the test opens the gate, and counts arrivals.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = NIOLockedValueBox(State())

    var arrived: Int { state.withLockedValue { $0.arrived } }

    /// Called by a handler: waits until it is released.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLockedValue { state in
                state.arrived += 1
                if !state.isOpen { state.held.append(continuation) }
                let (ready, waiting) = (
                    state.watchers.filter { $0.count <= state.arrived },
                    state.watchers.filter { $0.count > state.arrived }
                )
                state.watchers = waiting
                return (state.isOpen, ready.map(\.continuation))
            }
            if isOpen { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Releases the handler that has waited longest.
    func releaseOne() {
        state.withLockedValue { $0.held.isEmpty ? nil : $0.held.removeFirst() }?.resume()
    }

    /// Releases all handlers, including later ones.
    func open() {
        let held = state.withLockedValue { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Waits until `count` handlers in total have arrived.
    func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLockedValue { state in
                guard state.arrived < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
