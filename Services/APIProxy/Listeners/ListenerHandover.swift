import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ServiceKit

/// One of the two HTTP listeners.
enum ListenerName: String, CaseIterable, Sendable {
    /// The listener for clients.
    case `public`
    /// The listener for operators.
    case admin

    /// Name of the setting for the listener's port.
    var portSetting: String {
        switch self {
        case .public: SettingKey.httpPort.name
        case .admin: SettingKey.adminPort.name
        }
    }
}

/// Hands the listening sockets to the api-proxy that replaces this one (`BOOKSTRACK_TAKE_OVER`), so that no connection is refused between
/// the two.
///
/// The successor connects to a Unix socket in the runtime directory and receives the descriptors (unix(7), SCM_RIGHTS). This process then stops as if
/// it had received SIGTERM, and leaves the backlog to the successor. With SO_REUSEPORT instead, the backlog of the closing socket would be reset, and
/// two suites of the same user could share a port by mistake.
final class ListenerHandover: Sendable {
    private struct State {
        /// Duplicates of the listeners' descriptors, so that a descriptor that was closed and reused in the meantime is never sent.
        var descriptors: [ListenerName: CInt] = [:]
        var isDone = false
    }

    private let path: String
    private let onDone: @Sendable () -> Void
    private let state = NIOLockedValueBox(State())

    /// `onDone` is called when the sockets have been handed over; it must stop the process.
    init(path: String, onDone: @escaping @Sendable () -> Void) {
        self.path = path
        self.onDone = onDone
    }

    /// Whether a successor has received the listening sockets and accepts the backlog.
    var isDone: Bool { state.withLockedValue(\.isDone) }

    /// Offers a listener to a successor until the listener closes.
    func offer(_ name: ListenerName, _ listener: any Channel) async {
        // This fails only on a closed listener.
        let copy = try? await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) {
                fcntl($0, F_DUPFD_CLOEXEC, 0)
            }
        }.get()
        guard let copy = copy ?? nil, copy >= 0 else { return }
        state.withLockedValue { $0.descriptors[name] = copy }
        listener.closeFuture.whenComplete { _ in
            self.state.withLockedValue { $0.descriptors[name] = nil }
            _ = close(copy)
        }
    }

    /// Listens for a successor on the Unix socket, which this process now owns.
    func listen(on group: any EventLoopGroup) async throws -> any Channel {
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(HandoverHandler(handover: self))
                }
            }
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        chmod(path, 0o600)
        return channel
    }

    /// Stops waiting for a successor.
    func end(_ channel: any Channel) async {
        try? await channel.close()
        if !isDone { unlink(path) }
    }

    /// Sends the descriptors to a peer that runs as the same user.
    fileprivate func send(to peer: CInt) {
        guard Self.isOwnUser(peer) else { return }
        let isSent = state.withLockedValue { state in
            let names = state.descriptors.keys.sorted { $0.rawValue < $1.rawValue }
            guard !state.isDone, !names.isEmpty else { return false }
            state.isDone = DescriptorMessage.send(
                names.compactMap { state.descriptors[$0] }, text: names.map(\.rawValue).joined(separator: ":"), to: peer
            )
            return state.isDone
        }
        if isSent { onDone() }
    }

    /// Whether the peer runs as the same user (unix(7), SO_PEERCRED).
    private static func isOwnUser(_ peer: CInt) -> Bool {
        // A `ucred`: pid, uid and gid.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 && credentials.1 == getuid()
    }

    /// Takes over the listening sockets of the process that listens at `path`; empty if no process hands over any.
    static func take(from path: String) -> [ListenerName: CInt] {
        let peer = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard peer >= 0 else { return [:] }
        defer { _ = close(peer) }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard let address = try? SocketAddress(unixDomainSocketPath: path),
            address.withSockAddr({ connect(peer, $0, socklen_t($1)) }) == 0,
            let (descriptors, text) = DescriptorMessage.receive(from: peer, count: ListenerName.allCases.count)
        else { return [:] }
        let names = text.split(separator: ":").map { ListenerName(rawValue: String($0)) }
        var taken: [ListenerName: CInt] = [:]
        for (index, descriptor) in descriptors.enumerated() {
            if index < names.count, let name = names[index] { taken[name] = descriptor } else { _ = close(descriptor) }
        }
        return taken
    }
}

/// Serves one successor process.
private final class HandoverHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handover: ListenerHandover

    init(handover: ListenerHandover) { self.handover = handover }

    func channelActive(context: ChannelHandlerContext) {
        // This fails only on a closed channel, to which nothing needs to be sent.
        try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { handover.send(to: $0) }
        context.close(promise: nil)
    }
}

/// A message that carries descriptors (unix(7), SCM_RIGHTS; cmsg(3) for the layout).
enum DescriptorMessage {
    private static let maxTextLength = 64
    private static let headerSize = MemoryLayout<cmsghdr>.size
    private static let rights = CInt(SCM_RIGHTS)

    /// Sends text and descriptors; returns whether all of it was sent.
    static func send(_ descriptors: [CInt], text: String, to peer: CInt) -> Bool {
        var control = [UInt8](repeating: 0, count: space(descriptors.count))
        var header = cmsghdr()
        header.cmsg_len = headerSize + descriptors.count * MemoryLayout<CInt>.size
        header.cmsg_level = SOL_SOCKET
        header.cmsg_type = rights
        control.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: header, as: cmsghdr.self)
            for (index, descriptor) in descriptors.enumerated() {
                bytes.storeBytes(of: descriptor, toByteOffset: place(index), as: CInt.self)
            }
        }
        var bytes = Array(text.utf8)
        return exchange(&bytes, &control) { sendmsg(peer, &$0, CInt(MSG_NOSIGNAL)) } == bytes.count
    }

    /// Receives at most `count` descriptors; nil if the peer sends nothing.
    static func receive(from peer: CInt, count: Int) -> (descriptors: [CInt], text: String)? {
        var control = [UInt8](repeating: 0, count: space(count))
        var bytes = [UInt8](repeating: 0, count: maxTextLength)
        let length = exchange(&bytes, &control) { recvmsg(peer, &$0, CInt(MSG_CMSG_CLOEXEC)) }
        guard length > 0 else { return nil }
        let descriptors = control.withUnsafeBytes { bytes -> [CInt] in
            let header = bytes.load(as: cmsghdr.self)
            guard header.cmsg_level == SOL_SOCKET, header.cmsg_type == rights else { return [] }
            let received = min(count, (Int(header.cmsg_len) - headerSize) / MemoryLayout<CInt>.size)
            return (0..<max(0, received)).map { bytes.load(fromByteOffset: place($0), as: CInt.self) }
        }
        return (descriptors, String(decoding: bytes[..<length], as: UTF8.self))
    }

    private static func place(_ index: Int) -> Int { headerSize + index * MemoryLayout<CInt>.size }

    /// The space that a message with `count` descriptors needs (`CMSG_SPACE` in cmsg(3)).
    private static func space(_ count: Int) -> Int {
        let alignment = MemoryLayout<Int>.size
        return headerSize + (count * MemoryLayout<CInt>.size + alignment - 1) / alignment * alignment
    }

    private static func exchange(
        _ bytes: inout [UInt8], _ control: inout [UInt8], _ call: (inout msghdr) -> Int
    ) -> Int {
        bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return call(&message)
                }
            }
        }
    }
}
