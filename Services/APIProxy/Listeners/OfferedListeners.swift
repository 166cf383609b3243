import Glibc
import NIOCore

/// The listening sockets that the running api-proxy has sent to this process, its successor (``ListenerHandover``).
///
/// The running process continues to serve clients until this one has accepted the sockets. If this process ends before that, nothing changes.
struct OfferedListeners: ~Copyable {
    /// The byte that a successor sends first. It announces that another byte follows if the successor accepts; successors of older versions send
    /// nothing.
    static let announcement = UInt8(ascii: "?")
    private static let acceptance = UInt8(ascii: "!")

    let descriptors: [ListenerName: CInt]
    /// The connection to the process that has sent the descriptors.
    private let peer: CInt

    deinit { close(peer) }

    /// The sockets of the process that listens at `path`; nil if no process offers any. Blocks.
    static func receive(from path: String) -> OfferedListeners? {
        let peer = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard peer >= 0 else { return nil }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard let address = try? SocketAddress(unixDomainSocketPath: path),
            address.withSockAddr({ connect(peer, $0, socklen_t($1)) }) == 0,
            let (descriptors, text) = answer(to: announcement, from: peer)
        else {
            close(peer)
            return nil
        }
        let names = text.split(separator: ":").map { ListenerName(rawValue: String($0)) }
        var named: [ListenerName: CInt] = [:]
        for (index, descriptor) in descriptors.enumerated() {
            if index < names.count, let name = names[index] { named[name] = descriptor } else { close(descriptor) }
        }
        return OfferedListeners(descriptors: named, peer: peer)
    }

    /// Takes over from the process that has sent the sockets, which then stops. Call this after the last check that can fail at startup.
    consuming func accept() { Self.send(Self.acceptance, to: peer) }

    /// Sends a byte and receives descriptors; nil if nothing arrives. A process of an older version closes the connection as soon as it has sent
    /// them, perhaps before the byte arrives; therefore a failure to send the byte does not matter.
    private static func answer(to byte: UInt8, from peer: CInt) -> (descriptors: [CInt], text: String)? {
        send(byte, to: peer)
        return DescriptorMessage.receive(from: peer, count: ListenerName.allCases.count)
    }

    private static func send(_ byte: UInt8, to peer: CInt) {
        withUnsafePointer(to: byte) { _ = Glibc.send(peer, $0, 1, CInt(MSG_NOSIGNAL)) }
    }
}
