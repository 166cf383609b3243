import HTTPTypes
import NIOCore
import NIOHTTP1
import ServiceKit

/// A client's IP address.
struct ClientAddress: Equatable {
    /// The address; nil if the peer has none.
    let address: IPAddress?

    init(_ peer: SocketAddress?) { address = peer?.ipAddress.flatMap { IPAddress($0) } }

    /// Parses an address; nil if it is malformed.
    init?(_ text: some StringProtocol) {
        guard let address = IPAddress(text) else { return nil }
        self.address = address
    }

    /// The 4 or 16 bytes of the address; empty if there is no address.
    var bytes: [UInt8] { address?.bytes ?? [] }

    /// The address as text; nil if there is no address.
    var text: String? { address?.description }

    /// The value of ``JobOrigin/client``: the IPv4 address or, as in ``ClientNetwork``, the /64 of the IPv6 address; empty if there is no address.
    var shareKey: String {
        bytes.prefix(bytes.count == 16 ? 8 : 4).map { String($0, radix: 16) }.joined(separator: ":")
    }
}

/// Peers whose `X-Forwarded-…` fields are trusted (`BOOKSTRACK_TRUSTED_PROXIES`).
struct TrustedProxies: Sendable {
    var blocks: [AddressBlock] = []

    /// The first untrusted address (http-api.md "Rate limits"): the peer's is checked first, then the entries of `X-Forwarded-For` from right to
    /// left. If all of them are trusted, or a malformed entry comes first, the last trusted address.
    func clientAddress(peer: SocketAddress?, forwarded: [String]) -> ClientAddress {
        var client = ClientAddress(peer)
        for entry in forwarded.reversed() where trusts(client) {
            guard let next = ClientAddress(entry) else { break }
            client = next
        }
        return client
    }

    /// The address of the client that sent `fields`; `X-Forwarded-For` is read only if there are trusted proxies.
    func clientAddress(peer: SocketAddress?, fields: HTTPFields) -> ClientAddress {
        guard !blocks.isEmpty else { return ClientAddress(peer) }
        let entries = fields[values: Self.forwardedFor].flatMap { $0.split(separator: ",") }
        return clientAddress(peer: peer, forwarded: entries.map { String($0.filter { $0 != " " && $0 != "\t" }) })
    }

    /// The address of the client that sent `headers`, the fields of a request that does not reach the router.
    func clientAddress(peer: SocketAddress?, headers: HTTPHeaders) -> ClientAddress {
        guard !blocks.isEmpty else { return ClientAddress(peer) }
        return clientAddress(peer: peer, forwarded: headers[canonicalForm: "X-Forwarded-For"].map(String.init))
    }

    /// The key by which limits count the client that sent `headers`.
    func clientNetwork(peer: SocketAddress?, headers: HTTPHeaders) -> ClientNetwork {
        ClientNetwork(clientAddress(peer: peer, headers: headers))
    }

    /// The key by which limits count the client that sent `fields`.
    func clientNetwork(peer: SocketAddress?, fields: HTTPFields) -> ClientNetwork {
        ClientNetwork(clientAddress(peer: peer, fields: fields))
    }

    /// The key by which the share of paid budgets is counted for the client that sent `fields` (``JobOrigin/client``).
    func shareKey(peer: SocketAddress?, fields: HTTPFields) -> String {
        clientAddress(peer: peer, fields: fields).shareKey
    }

    private static let forwardedFor = HTTPField.Name.known("X-Forwarded-For")

    func trusts(_ client: ClientAddress) -> Bool {
        client.address.map { address in blocks.contains { $0.contains(address) } } ?? false
    }
}
