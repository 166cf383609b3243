/// Resolves the escapes of a JSON string (RFC 8259 §7), whose syntax has been checked.
enum JSONEscapes {
    /// The text; half a surrogate pair becomes U+FFFD.
    static func decode(_ content: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(content.count)
        var position = content.startIndex
        while position < content.endIndex {
            guard content[position] == UInt8(ascii: "\\") else {
                decoded.append(content[position])
                position += 1
                continue
            }
            if content[position + 1] == UInt8(ascii: "u") {
                let (scalar, length) = scalar(at: position, in: content)
                decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                position += length
            } else {
                decoded.append(control(content[position + 1]))
                position += 2
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func control(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// The scalar of one escape, or of the two that make a surrogate pair, and how many bytes they take.
    private static func scalar(at position: Int, in content: ArraySlice<UInt8>) -> (Unicode.Scalar, length: Int) {
        let unit = unit(at: position, in: content)
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        let second = position + 6
        guard UTF16.isLeadSurrogate(unit), second + 6 <= content.endIndex, content[second] == UInt8(ascii: "\\"),
            content[second + 1] == UInt8(ascii: "u")
        else { return ("\u{FFFD}", 6) }
        let trail = self.unit(at: second, in: content)
        guard UTF16.isTrailSurrogate(trail) else { return ("\u{FFFD}", 6) }
        return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), 12)
    }

    private static func unit(at position: Int, in content: ArraySlice<UInt8>) -> UInt16 {
        content[(position + 2)..<(position + 6)].reduce(0) { value, digit in
            let letter = digit | 0x20
            return value << 4 | UInt16(letter >= UInt8(ascii: "a") ? letter - UInt8(ascii: "a") + 10 : digit & 0xF)
        }
    }
}
