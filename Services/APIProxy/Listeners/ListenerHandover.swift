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

    /// Name of the setting for the listener's address.
    var hostSetting: String {
        switch self {
        case .public: SettingKey.httpHost.name
        case .admin: SettingKey.adminHost.name
        }
    }

    /// Name of the setting for the listener's port.
    var portSetting: String {
        switch self {
        case .public: SettingKey.httpPort.name
        case .admin: SettingKey.adminPort.name
        }
    }
}

/// Hands the listening sockets to the api-proxy that replaces this one (`BOOKSTRACK_TAKE_OVER`), so that no client's connection is refused in the
/// meantime.
///
/// The successor connects to a Unix socket in the runtime directory and receives the descriptors (unix(7), SCM_RIGHTS). Once it has accepted them
/// (``OfferedListeners``), this process stops as if it had received SIGTERM, and leaves the backlog to the successor. With SO_REUSEPORT instead, the
/// backlog of the closing socket would be reset, and two suites of the same user could share a port by mistake.
final class ListenerHandover: Sendable {
    private struct State {
        /// Duplicates of the listeners' descriptors, so that a descriptor that was closed and reused in the meantime is never sent.
        var descriptors: [ListenerName: CInt] = [:]
        var stage = Stage.waiting
    }

    private enum Stage {
        /// No successor has the descriptors.
        case waiting
        /// A successor has received the descriptors, and may still refuse to start.
        case offered
        /// A successor serves the listeners.
        case done
    }

    private let path: String
    private let onDone: @Sendable () -> Void
    private let state = NIOLockedValueBox(State())

    /// - Parameter onDone: Called when the sockets have been handed over; must stop the process, which may already be stopping.
    init(path: String, onDone: @escaping @Sendable () -> Void) {
        self.path = path
        self.onDone = onDone
    }

    /// Whether a successor has accepted the listening sockets, and with them the backlog.
    var isDone: Bool { state.withLockedValue { $0.stage == .done } }

    /// Offers a listener to a successor until the listener closes.
    func offer(_ name: ListenerName, _ listener: any Channel) async {
        guard let copy = try? await listener.duplicateDescriptor() else { return }
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

    /// Stops waiting for a successor, and removes the socket file unless a successor owns it now.
    func end(_ channel: any Channel) async {
        try? await channel.close()
        if !isDone { unlink(path) }
    }

    /// Sends the descriptors to a peer that runs as the same user, unless another peer has them. Returns whether they were sent.
    fileprivate func send(to peer: CInt) -> Bool {
        guard Self.isOwnUser(peer) else { return false }
        return state.withLockedValue { state in
            let names = state.descriptors.keys.sorted { $0.rawValue < $1.rawValue }
            guard state.stage == .waiting, !names.isEmpty else { return false }
            let isSent = DescriptorMessage.send(
                names.compactMap { state.descriptors[$0] }, text: names.map(\.rawValue).joined(separator: ":"), to: peer
            )
            if isSent { state.stage = .offered }
            return isSent
        }
    }

    /// Call when a peer with the descriptors has closed its connection.
    fileprivate func ended(isAccepted: Bool) {
        state.withLockedValue { $0.stage = isAccepted ? .done : .waiting }
        if isAccepted { onDone() }
    }

    /// Whether the peer runs as the same user (unix(7), SO_PEERCRED).
    private static func isOwnUser(_ peer: CInt) -> Bool {
        // A `ucred`: pid, uid and gid.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 && credentials.1 == getuid()
    }
}

extension Channel {
    /// A duplicate of the channel's descriptor. Throws `IOError` if the channel is closed or no descriptors are left.
    func duplicateDescriptor() async throws -> CInt {
        try await eventLoop.submit {
            let copy = try self.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { descriptor in
                let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                guard copy >= 0 else { throw IOError(errnoCode: errno, reason: "fcntl") }
                return copy
            }
            guard let copy else { throw IOError(errnoCode: EBADF, reason: "fcntl") }
            return copy
        }.get()
    }
}

/// Serves one successor process.
private final class HandoverHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handover: ListenerHandover
    private var isOffered = false
    /// The last byte that the successor has sent; nil if it has sent none.
    private var answer: UInt8?

    init(handover: ListenerHandover) { self.handover = handover }

    func channelActive(context: ChannelHandlerContext) {
        // This fails only on a closed channel, to which nothing needs to be sent.
        let isSent = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) {
            handover.send(to: $0)
        }
        isOffered = isSent ?? false
        if !isOffered { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answer = unwrapInboundIn(data).readableBytesView.last ?? answer
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A successor of an older version sends nothing, and always keeps what it has received.
        if isOffered { handover.ended(isAccepted: answer != OfferedListeners.announcement) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
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

    /// Receives at most `count` descriptors; nil if nothing arrives.
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
