import Foundation
import Glibc

/// What is behind the path of a Unix socket, by trying to connect (unix(7)).
enum UnixSocketProbe {
    enum Outcome: Equatable {
        case absent
        /// The file is there, its listener is not.
        case abandoned
        case forbidden
        case listening
    }

    /// The process that listens at a path, as the kernel noted when it began to (unix(7), `SO_PEERCRED`); nil when none accepts a connection.
    static func listener(at path: String) -> Int32? {
        var process: Int32?
        _ = connect(to: path) { descriptor in
            var credentials = (pid: Int32(0), user: UInt32(0), group: UInt32(0))
            var size = socklen_t(MemoryLayout.size(ofValue: credentials))
            if getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, credentials.pid > 0 {
                process = credentials.pid
            }
        }
        return process
    }

    /// Does not wait: a listener whose backlog is full, as that of a service that hangs, is one.
    static func look(at path: String) -> Outcome { connect(to: path) { _ in } }

    private static func connect(to path: String, then use: (Int32) -> Void) -> Outcome {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return .forbidden }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard path.utf8.count < place.count else { return false }
            place.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return .absent }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result != 0 else {
            use(descriptor)
            return .listening
        }
        switch errno {
        case ENOENT, ENOTDIR: return .absent
        case EACCES, EPERM: return .forbidden
        case EAGAIN: return .listening
        default: return .abandoned
        }
    }
}
