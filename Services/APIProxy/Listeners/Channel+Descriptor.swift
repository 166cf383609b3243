import Glibc
import NIOCore

extension Channel {
    /// Whether the kernel holds something that was not read yet: bytes or the end of a connection, a connection of a listener (poll(2)).
    /// To be asked on the event loop.
    var hasUnread: Bool {
        let result = withDescriptor { descriptor in
            var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&asked, 1, 0) > 0
        }
        return result ?? false
    }

    /// Sends as much as the kernel takes at once and closes a connection that no handler serves. To be called on the event loop.
    func dismiss(with answer: StaticString) {
        withDescriptor { descriptor in
            let flags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)
            _ = send(descriptor, answer.utf8Start, answer.utf8CodeUnitCount, flags)
            Glibc.shutdown(descriptor, CInt(SHUT_WR))
            // Closing over unread bytes would reset the connection, and the client might not see the answer.
            withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
                _ = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
            }
        }
        close(promise: nil)
    }

    @discardableResult
    private func withDescriptor<Outcome>(_ body: (CInt) -> Outcome) -> Outcome? {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { body($0) }
    }

    /// Reads and accepts nothing more unless it is asked to. To be called on the event loop.
    func pauseReading() {
        // It fails on a closed channel only, which reads nothing anyway.
        try? syncOptions?.setOption(.autoRead, value: false)
    }

    /// Ends ``pauseReading()``.
    func resumeReading() { try? syncOptions?.setOption(.autoRead, value: true) }
}
