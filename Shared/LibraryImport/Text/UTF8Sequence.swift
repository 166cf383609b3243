/// Well-formed UTF-8 byte sequences (The Unicode Standard, table 3-7).
enum UTF8Sequence {
    /// Length of the well-formed sequence at `index` for a character outside ASCII; nil if there is none.
    @inline(__always)
    static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        let lead = bytes[index]
        let left = bytes.count &- index
        guard left > 1 else { return nil }
        let second = bytes[index &+ 1]
        switch lead {
        case 0xC2...0xDF:
            return isContinuation(second) ? 2 : nil
        case 0xE0...0xEF:
            guard left > 2, isContinuation(second), isContinuation(bytes[index &+ 2]) else { return nil }
            if lead == 0xE0, second < 0xA0 { return nil }
            return lead == 0xED && second > 0x9F ? nil : 3
        case 0xF0...0xF4:
            guard left > 3, isContinuation(second), isContinuation(bytes[index &+ 2]),
                isContinuation(bytes[index &+ 3])
            else { return nil }
            if lead == 0xF0, second < 0x90 { return nil }
            return lead == 0xF4 && second > 0x8F ? nil : 4
        default:
            return nil
        }
    }

    @inline(__always)
    static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Whether a sequence at the end of a block might be completed by the next block.
    static func isCut(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let needed = bytes[index] >= 0xF0 ? 4 : bytes[index] >= 0xE0 ? 3 : bytes[index] >= 0xC2 ? 2 : 1
        guard index + needed > bytes.count else { return false }
        return bytes[(index + 1)...].allSatisfy(isContinuation)
    }

    /// The character encoded by a well-formed sequence.
    static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) -> Unicode.Scalar {
        var value = UInt32(bytes[index]) & (0x7F >> UInt32(length))
        for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    /// Appends the bytes of a character.
    @inline(__always)
    static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        let value = scalar.value
        switch value {
        case ..<0x80:
            text.append(UInt8(value))
        case ..<0x800:
            text.append(UInt8(0xC0 | value >> 6))
            text.append(UInt8(0x80 | value & 0x3F))
        case ..<0x1_0000:
            text.append(UInt8(0xE0 | value >> 12))
            text.append(UInt8(0x80 | value >> 6 & 0x3F))
            text.append(UInt8(0x80 | value & 0x3F))
        default:
            text.append(UInt8(0xF0 | value >> 18))
            text.append(UInt8(0x80 | value >> 12 & 0x3F))
            text.append(UInt8(0x80 | value >> 6 & 0x3F))
            text.append(UInt8(0x80 | value & 0x3F))
        }
    }

    /// Index of the first byte outside ASCII at or after `start`; the end if there is none.
    @inline(__always)
    static func endOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(bytes)
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            if high != 0 { return index &+ high.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index &+= 1 }
        return index
    }
}
