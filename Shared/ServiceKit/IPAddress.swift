import Glibc

/// An IPv4 or IPv6 address.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The four or sixteen bytes of the address.
    package let bytes: [UInt8]

    /// Parses an address; nil if the text is not an address. An IPv4 address mapped into IPv6 counts as IPv4 (RFC 4291
    /// §2.5.5.2), and the zone of a link-local address is ignored.
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

    /// The address in the notation of inet_ntop(3).
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return inet_ntop(family, bytes, &text, socklen_t(text.count)).map { String(cString: $0) } ?? ""
    }
}

/// A block of addresses, "10.0.0.0/8" (RFC 4632 §3.1), or a single address.
package struct AddressBlock: Sendable, Equatable, CustomStringConvertible {
    private let address: IPAddress
    private let bits: Int

    /// Parses a block or a single address; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        let width = address.bytes.count * 8
        guard let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    /// Whether an address is in the block; false for an address of the other IP version.
    package func contains(_ other: IPAddress) -> Bool {
        let (block, bytes) = (address.bytes, other.bytes)
        guard bytes.count == block.count else { return false }
        let whole = bits / 8
        guard bytes[..<whole] == block[..<whole] else { return false }
        guard bits % 8 > 0 else { return true }
        let shift = 8 - bits % 8
        return bytes[whole] >> shift == block[whole] >> shift
    }

    /// The notation used in settings.
    package var description: String { bits == address.bytes.count * 8 ? "\(address)" : "\(address)/\(bits)" }
}
