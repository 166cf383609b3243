import Glibc
import NIOCore

extension Channel {
    /// Whether the kernel holds something that was not read yet: bytes or the end of a connection, a connection of a listener (poll(2)).
    /// To be asked on the event loop.
    var hasUnread: Bool {
        let result = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { descriptor in
            var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&asked, 1, 0) > 0
        }
        return result ?? false
    }

    /// Reads and accepts nothing more unless it is asked to. To be called on the event loop.
    func pauseReading() {
        // It fails on a closed channel only, which reads nothing anyway.
        try? syncOptions?.setOption(.autoRead, value: false)
    }
}
