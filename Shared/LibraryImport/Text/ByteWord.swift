/// Eight bytes of a text that are examined together, with the first byte in the lowest position.
struct ByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    private let bytes: UInt64

    @inline(__always)
    init(_ bytes: UInt64) { self.bytes = UInt64(littleEndian: bytes) }

    /// The highest bit of every byte that equals `byte`.
    @inline(__always)
    func flags(of byte: UInt8) -> UInt64 {
        let other = bytes ^ (Self.ones &* UInt64(byte))
        return ~((other & ~Self.highs) &+ ~Self.highs | other | ~Self.highs)
    }

    /// Whether any byte equals `byte`.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let other = bytes ^ (Self.ones &* UInt64(byte))
        return (other &- Self.ones) & ~other & Self.highs != 0
    }

    /// Whether any byte is a control character below the space.
    @inline(__always)
    var hasControls: Bool { (bytes &- Self.ones &* 0x20) & ~bytes & Self.highs != 0 }

    /// Whether all bytes are ASCII characters allowed in a tidy line: no control characters, `"`, `&`, `<` or `=`.
    @inline(__always)
    var isTidyASCII: Bool {
        guard bytes & Self.highs == 0, !hasControls, (bytes &+ Self.ones) & Self.highs == 0 else { return false }
        // `"` and `&` differ in one bit, and so do `<` and `=`.
        return !ByteWord(bytes & (Self.ones &* 0xFB)).contains(0x22)
            && !ByteWord(bytes & (Self.ones &* 0xFE)).contains(0x3C)
    }
}
