import Glibc
import NIOConcurrencyHelpers
import NIOCore

/// Messages of a thread that is not an event loop, gathered and then written by that thread itself.
///
/// To wake an event loop costs more than to write a frame, and the frame waits meanwhile. A thread that says several things at once gathers
/// them, so that each peer still gets them in one write. What the kernel does not take at once is left to the event loop.
package final class GatheredWrites: Sendable {
    private struct State {
        var connections: [RPCConnection] = []
        var isOver = false
    }

    @TaskLocal static var current: GatheredWrites?

    private let state = NIOLockedValueBox(State())

    private init() {}

    /// Runs `body`, and then writes what it has sent on any connection.
    package static func write(after body: () -> Void) {
        let writes = GatheredWrites()
        $current.withValue(writes, operation: body)
        for connection in writes.end() { connection.writeDirectly() }
    }

    /// Takes a connection on which something waits; false when it is too late, as for a task that was started meanwhile and continues.
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
    /// Writes what waits on the calling thread, as far as the kernel takes it at once; the rest is the event loop's.
    func writeDirectly() {
        while let (piece, socket) = state.withLockedValue({ $0.takeDirectly() }) {
            let length = piece.withUnsafeReadableBytes { socket.send($0) }
            state.withLockedValue { $0.outbound.wrote(length) }
            if length < piece.readableBytes { break }
        }
        if state.withLockedValue({ $0.leavesRestToLoop() }) { wake() }
    }
}

/// A second name for a connection's socket, with which any thread may write: the event loop may close its own at any time, and the kernel
/// give the number to another file.
final class WritingSocket: Sendable {
    private let descriptor: CInt

    /// Nil if the channel is closed or not a socket. Must be called on the channel's event loop.
    init?(of channel: any Channel) {
        let copy = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) {
            fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        guard let copy, copy >= 0 else { return nil }
        descriptor = copy
    }

    deinit { close(descriptor) }

    /// Sends what the kernel takes at once; says how much that is. A failure is the event loop's to find.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        max(0, Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL)))
    }
}

extension RPCConnectionState {
    /// The next piece, while the connection can be written by any thread.
    fileprivate mutating func takeDirectly() -> (piece: ByteBuffer, socket: WritingSocket)? {
        guard let socket, phase == .open, let piece = outbound.take() else { return nil }
        return (piece, socket)
    }

    /// Ends a thread's own writing. Whether the event loop has to come by, which it is then bound to.
    fileprivate mutating func leavesRestToLoop() -> Bool {
        let isNeeded = needsLoop || outbound.bufferedBytes > 0 || !paced.isEmpty || phase != .open
        isWakeScheduled = isNeeded
        return isNeeded
    }
}
