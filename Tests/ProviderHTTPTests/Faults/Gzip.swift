/// Writes gzip by hand (RFC 1951, RFC 1952), so that tests can have any ratio.
enum Gzip {
    /// `bytes` as they are, in one stored block; at most 65 535.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        let block: [UInt8] = [1] + littleEndian(length) + littleEndian(~length) + bytes
        return header + block + littleEndian(crc32(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// 1 + 258 × `repeats` zeros at about 159 to 1, in one block of fixed codes.
    static func zeros(repeats: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b1, count: 1)
        bits.write(0b01, count: 2)
        bits.writeCode(0b0011_0000, count: 8)
        for _ in 0..<repeats {
            // Length 258 (code 285) at distance 1 (code 0).
            bits.writeCode(0b1100_0101, count: 8)
            bits.writeCode(0, count: 5)
        }
        bits.writeCode(0, count: 7)
        let size = 1 + 258 * repeats
        let checksum = crc32([UInt8](repeating: 0, count: size))
        return header + bits.bytes + littleEndian(checksum) + littleEndian(UInt32(size))
    }

    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        let table = (UInt32(0)..<256).map { index in
            (0..<8).reduce(index) { (crc: UInt32, _) in crc & 1 == 1 ? (crc >> 1) ^ 0xedb8_8320 : crc >> 1 }
        }
        var crc = ~UInt32(0)
        for byte in bytes { crc = (crc >> 8) ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
        return ~crc
    }

    private struct BitWriter {
        var bytes: [UInt8] = []
        private var used = 8

        mutating func write(_ value: Int, count: Int) {
            for bit in 0..<count { append(value >> bit & 1) }
        }

        /// Huffman codes go in with their first bit first.
        mutating func writeCode(_ code: Int, count: Int) {
            for bit in (0..<count).reversed() { append(code >> bit & 1) }
        }

        private mutating func append(_ bit: Int) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(bit) << used
            used += 1
        }
    }
}
