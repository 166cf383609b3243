import Glibc

/// The file of a listening Unix socket: created with mode 0660 before any process can connect, and removed only if it still belongs to this process.
struct SocketFile {
    /// Why the socket could not be bound.
    enum Failure: Error, Equatable, CustomStringConvertible {
        /// The path is longer than the 107 bytes that `sun_path` can hold (unix(7)), or contains a NUL byte.
        case pathTooLong(String)
        /// Another process is already listening there.
        case inUse(String)
        /// The path exists and is not a socket.
        case notASocket(String)
        case system(call: String, path: String, errno: CInt)

        var description: String {
            switch self {
            case .pathTooLong(let path): "\(path) is too long for a Unix socket (at most 107 bytes)"
            case .inUse(let path): "another process is listening on \(path)"
            case .notASocket(let path): "\(path) exists and is not a socket"
            case .system(let call, let path, let errno): "\(call) \(path): \(String(cString: strerror(errno)))"
            }
        }
    }

    /// Number of connections that may wait to be accepted.
    static let backlog: CInt = 128

    let path: String
    private let inode: ino_t

    /// Binds a socket to `path`, replacing one left by a dead process, and listens.
    ///
    /// - Returns: The file and the listening descriptor.
    static func bind(_ path: String) throws(Failure) -> (file: SocketFile, descriptor: CInt) {
        guard let address = UnixSocketAddress(path) else { throw .pathTooLong(path) }
        // Until a socket listens, another process would mistake it for one left by a dead process.
        let lock = try BindingLock.take(for: path)
        defer { lock.release() }
        try removeStale(path, address)
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        do throws(Failure) {
            try check("bind", path, address.pass { Glibc.bind(descriptor, $0, $1) })
            try check("chmod", path, chmod(path, 0o660))
            try check("listen", path, listen(descriptor, backlog))
            var status = stat()
            try check("stat", path, lstat(path, &status))
            return (SocketFile(path: path, inode: status.st_ino), descriptor)
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
    }

    /// Removes the file, unless another process has replaced it with its own.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_ino == inode else { return }
        unlink(path)
    }

    private static func removeStale(_ path: String, _ address: UnixSocketAddress) throws(Failure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let probe = socket(
            AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .system(call: "socket", path: path, errno: errno) }
        defer { _ = Glibc.close(probe) }
        let answer = address.pass { connect(probe, $0, $1) }
        // A full backlog (EAGAIN) also means that a process is listening.
        guard answer != 0, errno != EAGAIN else { throw .inUse(path) }
        guard errno == ECONNREFUSED else { throw .system(call: "connect", path: path, errno: errno) }
        try check("unlink", path, unlink(path))
    }

    private static func check(_ call: String, _ path: String, _ result: CInt) throws(Failure) {
        guard result == 0 else { throw .system(call: call, path: path, errno: errno) }
    }
}

/// A process's exclusive right to bind a path: a lock (flock(2)) on a file beside the socket. The file is removed when the lock is released.
private struct BindingLock {
    let path: String
    let descriptor: CInt

    /// Waits for the lock.
    static func take(for socket: String) throws(SocketFile.Failure) -> BindingLock {
        let path = socket + ".lock"
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .system(call: "open", path: path, errno: errno) }
            var (locked, current) = (stat(), stat())
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            // The previous holder may have removed this file, and a third process may have locked a new one.
            if fstat(descriptor, &locked) == 0, lstat(path, &current) == 0, locked.st_ino == current.st_ino {
                return BindingLock(path: path, descriptor: descriptor)
            }
            _ = Glibc.close(descriptor)
        }
    }

    func release() {
        unlink(path)
        _ = Glibc.close(descriptor)
    }
}
