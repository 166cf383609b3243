internal import CCurlShim
internal import Glibc

/// An IPv4 or IPv6 address to which a connection is made.
package enum TargetAddress: Hashable, Sendable {
    /// The 32 bits in host byte order.
    case v4(UInt32)
    /// The upper and lower 64 bits in host byte order.
    case v6(UInt64, UInt64)

    /// Parses dotted or colon notation; brackets and zone names are refused.
    package init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// Reads a socket address.
    /// - Returns: nil for address families other than IPv4 and IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) {
        self = .v4(UInt32(bigEndian: address.s_addr))
    }

    private init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self = .v6(UInt64(bigEndian: high), UInt64(bigEndian: low))
    }

    /// The current addresses of a host name, preferred address first (getaddrinfo(3)); an address resolves to itself. Blocks until the resolver has
    /// responded. Empty if the name does not resolve.
    package static func resolve(_ host: String) -> [TargetAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [TargetAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let address = info.ai_addr.flatMap({ TargetAddress($0) }) { addresses.append(address) }
            entry = info.ai_next
        }
        return addresses
    }

    /// Whether the address is on the public Internet. False, for example, for private, loopback, link-local, shared, multicast and documentation
    /// addresses (RFC 6890), even if they are embedded in an IPv6 address.
    package var isPublic: Bool {
        switch self {
        case .v4(let bits):
            !Self.specialV4.contains { bits >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }
        case .v6(let high, let low):
            Self.isPublicV6(high, low)
        }
    }

    private static func isPublicV6(_ high: UInt64, _ low: UInt64) -> Bool {
        // NAT64 (RFC 6052) and 6to4 (RFC 3056) lead to the embedded IPv4 address.
        if high == 0x0064_ff9b_0000_0000, low >> 32 == 0 { return Self.v4(UInt32(low)).isPublic }
        if high >> 48 == 0x2002 { return Self.v4(UInt32(truncatingIfNeeded: high >> 16)).isPublic }
        // Only 2000::/3 is assigned as global unicast; this refuses, for example, ::1, fc00::/7, fe80::/10 and ff00::/8.
        guard high >> 61 == 1 else { return false }
        // 2001::/23 is for protocol assignments, including Teredo; 2001:db8::/32 and 3fff::/20 are for documentation.
        return high >> 41 != 0x2001_0000 >> 9 && high >> 32 != 0x2001_0db8 && high >> 44 != 0x3fff0
    }

    private static let specialV4: [(prefix: UInt32, length: UInt32)] = [
        (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16), (0xac10_0000, 12),
        (0xc000_0000, 24), (0xc000_0200, 24), (0xc058_6300, 24), (0xc0a8_0000, 16), (0xc612_0000, 15),
        (0xc633_6400, 24), (0xcb00_7100, 24), (0xe000_0000, 4), (0xf000_0000, 4),
    ]
}

extension TargetAddress: CustomStringConvertible {
    /// URL notation: IPv6 addresses are in brackets and not shortened.
    package var description: String {
        switch self {
        case .v4(let bits): return (0..<4).map { String(bits >> (24 - 8 * $0) & 0xff) }.joined(separator: ".")
        case .v6(let high, let low):
            let groups = [high, low].flatMap { half in (0..<4).map { half >> (48 - 16 * $0) & 0xffff } }
            return "[" + groups.map { String($0, radix: 16) }.joined(separator: ":") + "]"
        }
    }
}
