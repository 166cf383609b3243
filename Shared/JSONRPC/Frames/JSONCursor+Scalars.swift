extension JSONCursor {
    /// Steps over a string, number or literal.
    @inline(__always)
    mutating func skipScalar() throws(ScanFault) -> JSONKind {
        switch byte {
        case UInt8(ascii: "\""):
            _ = try skipString()
            return .string
        case UInt8(ascii: "t"):
            try skipLiteral("true")
            return .boolean
        case UInt8(ascii: "f"):
            try skipLiteral("false")
            return .boolean
        case UInt8(ascii: "n"):
            try skipLiteral("null")
            return .null
        default:
            try skipNumber()
            return .number
        }
    }

    private mutating func skipLiteral(_ literal: StaticString) throws(ScanFault) {
        for offset in 0..<literal.utf8CodeUnitCount {
            try skip(literal.utf8Start[offset])
        }
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259 §6).
    private mutating func skipNumber() throws(ScanFault) {
        if byte == UInt8(ascii: "-") { index &+= 1 }
        if byte == UInt8(ascii: "0") { index &+= 1 } else { try skipDigits() }
        if byte == UInt8(ascii: ".") {
            index &+= 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            index &+= 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index &+= 1 }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(ScanFault) {
        let begin = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        guard index > begin else { throw unexpected() }
    }
}
