import Foundation

/// What is behind the path of a Unix socket, by trying to connect (unix(7)).
enum UnixSocketProbe {
    enum Outcome: Equatable {
        case absent
        /// The file is there, its listener is not.
        case abandoned
        case forbidden
        case listening
    }

    /// Does not wait: a listener whose backlog is full, as that of a service that hangs, is one.
    static func look(at path: String) -> Outcome {
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
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result != 0 else { return .listening }
        switch errno {
        case ENOENT, ENOTDIR: return .absent
        case EACCES, EPERM: return .forbidden
        case EAGAIN: return .listening
        default: return .abandoned
        }
    }
}
