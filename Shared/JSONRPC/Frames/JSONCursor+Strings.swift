extension JSONCursor {
    /// Steps over a string, the cursor being on its opening quote, and tells whether it has escapes.
    mutating func skipString() throws(ScanFault) -> Bool {
        index &+= 1
        var hasEscapes = false
        while true {
            skipPlainCharacters()
            switch byte {
            case UInt8(ascii: "\"")?:
                index &+= 1
                return hasEscapes
            case UInt8(ascii: "\\")?:
                hasEscapes = true
                try skipEscape()
            case let byte? where byte >= 0x80:
                try skipMultibyteCharacter(lead: byte)
            case let byte?:
                guard byte >= 0x20 else { throw fault(.controlCharacter) }
                index &+= 1
            case nil:
                throw fault(.unexpectedEnd)
            }
        }
    }

    /// Steps over ASCII without quote, backslash or control character, eight bytes at a time.
    ///
    /// Each of the four tests may flag a byte wrongly only above one that it flags rightly, so the lowest flag of all is right.
    @inline(__always)
    private mutating func skipPlainCharacters() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let control = (word &- ones &* 0x20) & ~word
            let special =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control | word) & highs
            guard special == 0 else {
                index &+= special.trailingZeroBitCount >> 3
                return
            }
            index &+= 8
        }
    }

    private mutating func skipEscape() throws(ScanFault) {
        index &+= 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index &+= 1
        case UInt8(ascii: "u"):
            let unit = try skipCodeUnit()
            if 0xDC00...0xDFFF ~= unit { throw fault(.loneSurrogate) }
            guard 0xD800...0xDBFF ~= unit else { return }
            guard byte == UInt8(ascii: "\\") else { throw fault(.loneSurrogate) }
            index &+= 1
            guard byte == UInt8(ascii: "u") else { throw fault(.loneSurrogate) }
            guard 0xDC00...0xDFFF ~= (try skipCodeUnit()) else { throw fault(.loneSurrogate) }
        default:
            throw fault(index < bytes.count ? .invalidEscape : .unexpectedEnd)
        }
    }

    /// Steps over `uXXXX`, the cursor being on the `u`.
    private mutating func skipCodeUnit() throws(ScanFault) -> UInt16 {
        index &+= 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Self.hexadecimalDigit(byte) else {
                throw fault(index < bytes.count ? .invalidEscape : .unexpectedEnd)
            }
            unit = unit << 4 | digit
            index &+= 1
        }
        return unit
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Steps over one character of two to four bytes: no overlong form, no surrogate, nothing above U+10FFFF
    /// (Unicode, table 3-7).
    private mutating func skipMultibyteCharacter(lead: UInt8) throws(ScanFault) {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw fault(.invalidUTF8)
            }
        guard index &+ length <= bytes.count, second.contains(bytes[index &+ 1]) else { throw fault(.invalidUTF8) }
        for offset in 2..<max(length, 2) {
            guard bytes[index &+ offset] & 0xC0 == 0x80 else { throw fault(.invalidUTF8) }
        }
        index &+= length
    }
}
