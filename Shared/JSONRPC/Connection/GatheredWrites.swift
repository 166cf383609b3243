import Glibc
import NIOConcurrencyHelpers
import NIOCore

/// Gathers the messages that a thread sends on any connections. The thread then writes them itself instead of waking the connections' event loops.
/// Calls are gathered only on event loops; other threads write each call immediately (``RPCConnection/wakeForCall()``).
///
/// Waking an event loop costs more than writing a frame, and delays the frame. A thread that sends several messages in a row gathers them, so each
/// peer still receives them in one write. Bytes that the kernel does not accept immediately are left to the event loop.
package final class GatheredWrites: Sendable {
    private struct State {
        var connections: [RPCConnection] = []
        var isOver = false
    }

    @TaskLocal static var current: GatheredWrites?

    private let state = NIOLockedValueBox(State())

    private init() {}

    /// Runs `body`, then writes what it has sent on any connection.
    package static func write(after body: () -> Void) {
        let writes = GatheredWrites()
        $current.withValue(writes, operation: body)
        for connection in writes.end() { connection.writeDirectly() }
    }

    /// Adds a connection with queued frames; false if gathering has ended, for example when a task that `body` started outlives it.
    func add(_ connection: RPCConnection) -> Bool {
        state.withLockedValue { state in
            guard !state.isOver else { return false }
            state.connections.append(connection)
            return true
        }
    }

    private func end() -> [RPCConnection] {
        state.withLockedValue { state in
            state.isOver = true
            return state.connections
        }
    }
}

extension RPCConnection {
    /// Writes queued frames on the calling thread until the kernel accepts no more; the event loop writes the rest.
    func writeDirectly() {
        while let (chunk, socket) = state.withLockedValue({ $0.takeDirectly() }) {
            let length = chunk.withUnsafeReadableBytes { socket.send($0) }
            state.withLockedValue { $0.outbound.wrote(length) }
            if length < chunk.readableBytes { break }
        }
        if state.withLockedValue({ $0.endDirectWriting() }) { wake() }
    }
}

/// A duplicate of a connection's descriptor to which any thread may write. The event loop may close its own descriptor at any time, and the kernel
/// may then reuse the number for another file.
final class WritingSocket: Sendable {
    private let descriptor: CInt

    /// Nil if the channel is closed or not a socket, or if its descriptor cannot be duplicated. Must be called on the channel's event loop.
    init?(of channel: any Channel) {
        let copy = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) {
            fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        guard let copy, copy >= 0 else { return nil }
        descriptor = copy
    }

    deinit { close(descriptor) }

    /// Sends what the kernel accepts immediately and returns the number of bytes. Errors are left to the event loop.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        max(0, Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL)))
    }
}

extension RPCConnectionState {
    /// Takes the next chunk, and the socket for writing it on the calling thread; nil if only the event loop may write, or if there is no chunk.
    fileprivate mutating func takeDirectly() -> (chunk: ByteBuffer, socket: WritingSocket)? {
        guard let socket, phase == .open, let chunk = outbound.take() else { return nil }
        return (chunk, socket)
    }

    /// Ends a thread's direct writing. Returns whether the event loop must be woken, for unsent bytes or for other work.
    fileprivate mutating func endDirectWriting() -> Bool {
        let isNeeded = needsLoop || outbound.bufferedBytes > 0 || !paced.isEmpty || phase != .open
        isWakeScheduled = isNeeded
        return isNeeded
    }
}
