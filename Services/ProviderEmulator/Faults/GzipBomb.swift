/// A gzip body (RFC 1952) that decompresses to spaces, about 160 times its own size.
struct GzipBomb: Equatable, Sendable {
    let bytes: [UInt8]

    /// Creates a body that decompresses to at least one and at most 258 more spaces than `count`. Computing the checksum takes time proportional to
    /// `count`.
    init(spaces count: Int) {
        let runs = (count + Self.maxMatchLength - 1) / Self.maxMatchLength
        let unpacked = 1 + runs * Self.maxMatchLength
        var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        bits.append(0b011, count: 3)
        bits.appendCode(0x30 + 0x20, count: 8)
        for _ in 0..<runs {
            bits.appendCode(0b1100_0101, count: 8)
            bits.appendCode(0, count: 5)
        }
        bits.appendCode(0, count: 7)
        var bytes = bits.finished
        for value in [Self.checksum(ofSpaces: unpacked), UInt32(truncatingIfNeeded: unpacked)] {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        self.bytes = bytes
    }

    /// The longest possible match in deflate (RFC 1951 §3.2.5, code 285).
    private static let maxMatchLength = 258

    private static func checksum(ofSpaces count: Int) -> UInt32 {
        let step = (UInt32(0)..<256).map { index in
            var value = index
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
            return value
        }
        var value: UInt32 = 0xFFFF_FFFF
        for _ in 0..<count { value = step[Int((value ^ 0x20) & 0xFF)] ^ (value >> 8) }
        return ~value
    }

    private struct BitWriter {
        var bytes: [UInt8]
        private var pending: UInt32 = 0
        private var pendingCount = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// Appends a number, starting with its lowest bit.
        mutating func append(_ value: UInt32, count: Int) {
            pending |= value << pendingCount
            pendingCount += count
            while pendingCount >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingCount -= 8
            }
        }

        /// Appends a Huffman code, starting with its highest bit.
        mutating func appendCode(_ code: UInt32, count: Int) {
            for bit in (0..<count).reversed() { append((code >> bit) & 1, count: 1) }
        }

        var finished: [UInt8] {
            pendingCount > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes
        }
    }
}
