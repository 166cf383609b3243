import NIOCore
import ServiceKit

/// A client's network address, in the form in which limits count it.
struct ClientAddress: Equatable {
    /// The address; nil when the peer has none.
    let address: IPAddress?

    /// The address of a peer.
    init(_ peer: SocketAddress?) { address = peer?.ipAddress.flatMap { IPAddress($0) } }

    /// Reads the text of an address.
    init?(_ text: some StringProtocol) {
        guard let address = IPAddress(text) else { return nil }
        self.address = address
    }

    /// The bytes of an IPv4 or IPv6 address; empty when it is neither.
    var bytes: [UInt8] { address?.bytes ?? [] }

    /// The address as it is written; nil when there is none.
    var text: String? { address?.description }

    /// What limits count under: the address, of IPv6 only its /64 (http-api.md "Rate limits").
    var limitKey: String {
        bytes.prefix(bytes.count == 16 ? 8 : 4).map { String($0, radix: 16) }.joined(separator: ":")
    }
}
