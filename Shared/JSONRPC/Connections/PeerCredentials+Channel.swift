import Glibc
import NIOCore

extension PeerCredentials {
    /// `struct ucred` of unix(7): pid, uid and gid of 32 bits each, which Glibc hides from Swift.
    private typealias Ucred = InlineArray<3, UInt32>

    /// Asks the kernel. Fails for what is not a Unix socket.
    static func of(_ channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let answer: EventLoopFuture<Ucred> = options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return answer.map { PeerCredentials(pid: Int32(bitPattern: $0[0]), uid: $0[1], gid: $0[2]) }
    }
}
