extension JSONReader {
    /// Reads a string (RFC 8259 §7). A surrogate that stands alone is a fault, since no UTF-8 text can carry it.
    mutating func readString() throws(JSONFault) -> String {
        String(decoding: try scanString(keepsText: true), as: UTF8.self)
    }

    /// Checks a string without building it.
    mutating func skipString() throws(JSONFault) {
        _ = try scanString(keepsText: false)
    }

    /// Walks over a string; its UTF-8 is empty unless the text is wanted.
    private mutating func scanString(keepsText: Bool) throws(JSONFault) -> [UInt8] {
        skipSpace()
        guard current == UInt8(ascii: "\"") else {
            throw fault(current == nil ? "unexpected end of the body, a string is missing" : "'\"' expected")
        }
        advance()
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                advance()
                return text
            case UInt8(ascii: "\\"):
                let scalar = try readEscape()
                if keepsText { text.append(contentsOf: String(scalar).utf8) }
            case 0..<0x20:
                throw fault("unescaped control character in a string")
            default:
                if keepsText { text.append(byte) }
                advance()
            }
        }
        throw fault("unexpected end of the body in a string")
    }

    private mutating func readEscape() throws(JSONFault) -> Unicode.Scalar {
        let escape = self
        advance()
        guard let byte = current else { throw fault("unexpected end of the body in a string") }
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw escape.fault("unknown escape in a string")
        }
        let unit = try readHex()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, current == UInt8(ascii: "\\") else { throw escape.fault("lone surrogate in a string") }
        advance()
        guard current == UInt8(ascii: "u") else { throw escape.fault("lone surrogate in a string") }
        advance()
        let low = try readHex()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF)))
        else { throw escape.fault("lone surrogate in a string") }
        return scalar
    }

    private mutating func readHex() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw fault("unexpected end of the body in a string") }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw fault("four hexadecimal digits expected")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}
