import Glibc
import NIOCore

/// A client's network address, in the form in which limits count it.
struct ClientAddress: Equatable {
    /// The bytes of an IPv4 or IPv6 address; empty when it is neither.
    let bytes: [UInt8]

    /// The address of a peer.
    init(_ peer: SocketAddress?) { bytes = peer?.ipAddress.flatMap(Self.parse) ?? [] }

    /// Reads the text of an address.
    init?(_ text: some StringProtocol) {
        guard let bytes = Self.parse(String(text)) else { return nil }
        self.bytes = bytes
    }

    /// The address as it is written; nil when there is none.
    var text: String? {
        guard !bytes.isEmpty else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return inet_ntop(family, bytes, &text, socklen_t(text.count)).map { String(cString: $0) }
    }

    /// What limits count under: the address, of IPv6 only its /64 (spec/02 "Rate limits").
    var limitKey: String {
        bytes.prefix(bytes.count == 16 ? 8 : 4).map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// An IPv4 address that is mapped into IPv6 counts as what it is (RFC 4291 §2.5.5.2).
    private static func parse(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
        // The zone of a link-local address is not part of its bytes.
        guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1 else { return nil }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes[12...]) : bytes
    }
}
