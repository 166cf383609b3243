/// Who is at the other end, as the kernel noted when the connection was made (unix(7), `SO_PEERCRED`).
package struct PeerCredentials: Equatable, Sendable {
    /// Its process, when it connected.
    package var pid: Int32
    /// Its effective user.
    package var uid: UInt32
    /// Its effective group.
    package var gid: UInt32

    package init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}
