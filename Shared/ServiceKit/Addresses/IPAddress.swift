import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Its four or sixteen bytes.
    package let bytes: [UInt8]

    /// Reads the text of an address; nil for what is none. An IPv4 address that is mapped into IPv6 counts as what it is (RFC 4291
    /// §2.5.5.2), and the zone of a link-local address is not part of it.
    package init?(_ text: some StringProtocol) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, String(text), &bytes) == 1 {
            self.bytes = Array(bytes[..<4])
            return
        }
        guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1 else { return nil }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// The address as inet_ntop(3) spells it.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return inet_ntop(family, bytes, &text, socklen_t(text.count)).map { String(cString: $0) } ?? ""
    }
}
