/// Reads one JSON text (RFC 8259) of at most 256 nested levels into a `JSONValue`.
struct JSONParser {
    struct Failure: Error, Equatable {
        /// Offset in bytes of what could not be read.
        let offset: Int
    }

    private static let maximumDepth = 256
    private let bytes: [UInt8]
    private var offset = 0

    /// - Throws: `Failure` when the text is not exactly one JSON value. A byte order mark before it is skipped, since
    ///   recorded answers have one.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.offset = 3 }
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.offset == bytes.count else { throw parser.failure }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var failure: Failure { Failure(offset: offset) }
    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
    }

    private mutating func take(_ expected: Character) -> Bool {
        skipSpace()
        guard next == expected.asciiValue else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
        guard bytes[offset...].starts(with: word.utf8) else { throw failure }
        offset += word.utf8.count
        return value
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = offset
        while let byte = next, "+-.0123456789eE".utf8.contains(byte) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard Double(text) != nil else { throw Failure(offset: start) }
        return .number(text)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        offset += 1
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw failure }
        return .array(elements)
    }

    private mutating func object(depth: Int) throws(Failure) -> JSONValue {
        offset += 1
        var members: [JSONValue.Member] = []
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure }
            let name = try string()
            guard take(":") else { throw failure }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw failure }
        return .object(members)
    }

    private mutating func string() throws(Failure) -> String {
        offset += 1
        var units: [UInt8] = []
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"): units.append(contentsOf: String(try escape()).utf8)
            default: units.append(byte)
            }
        }
        throw failure
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        guard let byte = next else { throw failure }
        offset += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        default: throw failure
        }
    }

    private mutating func unicodeEscape() throws(Failure) -> Unicode.Scalar {
        let first = try codeUnit()
        guard UTF16.isLeadSurrogate(first), bytes[offset...].starts(with: "\\u".utf8) else {
            return Unicode.Scalar(first) ?? "\u{FFFD}"
        }
        offset += 2
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(second) else { return "\u{FFFD}" }
        let code = 0x10000 + (UInt32(first & 0x3FF) << 10) + UInt32(second & 0x3FF)
        return Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        guard offset + 4 <= bytes.count,
            let unit = UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
        else { throw failure }
        offset += 4
        return unit
    }
}
