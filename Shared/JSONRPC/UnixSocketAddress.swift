package import Glibc

/// The address of a Unix socket that has a path (unix(7)).
package struct UnixSocketAddress {
    private var address = sockaddr_un()

    /// Nil if the path is longer than 107 bytes or contains a NUL byte.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Passes the address to a system call such as bind(2) or connect(2), and returns the call's result.
    package func pass(to call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
