internal import Glibc

/// A server on this machine that listens on a Unix socket (unix(7)).
package struct LocalServer: Hashable, Sendable {
    /// Path of the socket file.
    package let path: String
    /// IDs of the users whose processes are trusted to listen there; requests are not sent to any other user's process.
    package let users: Set<UInt32>

    package init(path: String, users: Set<UInt32>) {
        self.path = path
        self.users = users
    }

    /// Whether the process at the other end of a connection belongs to one of ``users`` (unix(7), `SO_PEERCRED`).
    func isServed(by socket: Int32) -> Bool {
        // A `ucred` structure: pid, uid and gid.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 && users.contains(credentials.1)
    }
}
