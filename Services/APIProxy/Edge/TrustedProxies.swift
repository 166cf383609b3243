import HTTPTypes
import NIOCore

/// Peers whose `X-Forwarded-For` is believed (`BOOKSTRACK_TRUSTED_PROXIES`).
struct TrustedProxies: Sendable {
    /// A block of addresses, "10.0.0.0/8" (RFC 4632 §3.1).
    struct Block: Sendable, Equatable {
        private let bytes: [UInt8]
        private let bits: Int

        /// Reads a block, or a single address.
        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = parts.first.flatMap({ ClientAddress($0) }) else { return nil }
            let width = address.bytes.count * 8
            guard let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits) else { return nil }
            bytes = address.bytes
            self.bits = bits
        }

        func contains(_ address: ClientAddress) -> Bool {
            guard address.bytes.count == bytes.count else { return false }
            let whole = bits / 8
            guard address.bytes[..<whole] == bytes[..<whole] else { return false }
            guard bits % 8 > 0 else { return true }
            let shift = 8 - bits % 8
            return address.bytes[whole] >> shift == bytes[whole] >> shift
        }
    }

    var blocks: [Block] = []

    /// The peer's address, or the right-most untrusted entry of `X-Forwarded-For` when the peer is trusted (spec/02 "Rate limits").
    func clientAddress(peer: SocketAddress?, forwarded: [String]) -> ClientAddress {
        var client = ClientAddress(peer)
        for entry in forwarded.reversed() where trusts(client) {
            guard let next = ClientAddress(entry) else { break }
            client = next
        }
        return client
    }

    /// The address of the client that sent `fields`; `X-Forwarded-For` is read only where somebody may be believed.
    func clientAddress(peer: SocketAddress?, fields: HTTPFields) -> ClientAddress {
        guard !blocks.isEmpty else { return ClientAddress(peer) }
        let entries = fields[values: Self.forwardedFor].flatMap { $0.split(separator: ",") }
        return clientAddress(peer: peer, forwarded: entries.map { String($0.filter { $0 != " " && $0 != "\t" }) })
    }

    private static let forwardedFor = HTTPField.Name.known("X-Forwarded-For")

    private func trusts(_ address: ClientAddress) -> Bool { blocks.contains { $0.contains(address) } }
}
