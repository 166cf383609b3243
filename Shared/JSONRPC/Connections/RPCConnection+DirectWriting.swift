import Glibc
import NIOConcurrencyHelpers
import NIOCore

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

    /// Nil when the channel is closed or is no socket. To be called on the channel's event loop.
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

extension ConnectionState {
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
