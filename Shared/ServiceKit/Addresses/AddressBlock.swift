/// A block of addresses, "10.0.0.0/8" (RFC 4632 §3.1), or a single one.
package struct AddressBlock: Sendable, Equatable, CustomStringConvertible {
    private let address: IPAddress
    private let bits: Int

    /// Reads a block, or a single address; nil for what is neither.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        let width = address.bytes.count * 8
        guard let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    /// Whether the address shares the block's first bits.
    package func contains(_ other: IPAddress) -> Bool {
        let (block, bytes) = (address.bytes, other.bytes)
        guard bytes.count == block.count else { return false }
        let whole = bits / 8
        guard bytes[..<whole] == block[..<whole] else { return false }
        guard bits % 8 > 0 else { return true }
        let shift = 8 - bits % 8
        return bytes[whole] >> shift == block[whole] >> shift
    }

    /// As it is written in settings.
    package var description: String { bits == address.bytes.count * 8 ? "\(address)" : "\(address)/\(bits)" }
}
