import Foundation

/// Output to a file descriptor, whatever is behind it.
package enum DescriptorOutput {
    /// Writes everything, and waits for the reader of a descriptor that does not block (write(2), poll(2)).
    ///
    /// - Returns: How many bytes were written, and the error number of what prevented the rest; nil when nothing did.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> (count: Int, fault: Int32?) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            guard count <= 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&readiness, 1, -1)
            case let fault: return (rest.startIndex, fault)
            }
        }
        return (bytes.count, nil)
    }
}
