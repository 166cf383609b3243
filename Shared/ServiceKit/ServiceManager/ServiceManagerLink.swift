import Glibc

/// Sends notices to the service manager that started the process, if there is one (sd_notify(3)).
///
/// Each message is a datagram from a socket of its own, so that nothing is held open between two of them.
package struct ServiceManagerLink: Sendable {
    /// Longest time that a manager who does not read can hold up a message.
    private static let sendLimit = timeval(tv_sec: 0, tv_usec: 500_000)

    private let address: sockaddr_un
    private let length: socklen_t

    /// Nil when `NOTIFY_SOCKET` names no Unix socket; a leading "@" stands for the abstract namespace (unix(7)).
    package init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        // An abstract name is all bytes of the address, a path ends with a zero.
        let closing = bytes[0] == 0 ? 0 : 1
        length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + closing)
    }

    /// Sends the notices as one message; false when the manager did not take it.
    @discardableResult
    package func send(_ notices: [ServiceManagerNotice]) -> Bool {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var limit = Self.sendLimit
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let message = Array(notices.map(\.assignment).joined(separator: "\n").utf8)
        let sent = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, CInt(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent == message.count
    }
}
