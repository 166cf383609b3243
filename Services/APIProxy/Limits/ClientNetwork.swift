import NIOCore

/// What limits count under: an IPv4 address, or the /64 of an IPv6 address (spec/02 "Rate limits").
struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt64
    private let isIPv6: Bool

    init(_ address: ClientAddress) {
        isIPv6 = address.bytes.count == 16
        bits = address.bytes.prefix(isIPv6 ? 8 : 4).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
