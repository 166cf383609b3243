import BookstrackContract

/// Reads one JSON text (RFC 8259) front to back and builds only what its caller asks for.
///
/// Foundation's decoder keeps the first of duplicate keys, while http-api.md "Validation" lets the last one win, and does not say where a
/// body is broken. This reader never recurses: what is skipped is checked with a stack of one bit per level, so that neither nesting nor
/// size costs more memory than the body itself.
struct JSONReader {
    /// Levels of arrays and objects that are followed.
    static let maximumDepth = 512

    let bytes: [UInt8]
    private(set) var offset = 0

    /// Reads `bytes`. Throws `JSONFault` when they are not UTF-8.
    init(_ bytes: [UInt8]) throws(JSONFault) {
        self.bytes = bytes
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONFault("invalid UTF-8", at: Self.validPrefix(of: bytes), in: bytes)
        }
    }

    /// Reads a body that must be one object, and hands each key to `member`. Throws `JSONFault` or `APIFailure`.
    static func readBody(_ bytes: [UInt8], _ member: (inout JSONReader, String) throws -> Void) throws {
        var reader = try JSONReader(bytes)
        guard try reader.peek() == .object else {
            throw APIFailure(.invalidRequest, "The body must be a JSON object.")
        }
        try reader.readObject(member)
        try reader.readEnd()
    }

    /// Kind of the value that comes next.
    mutating func peek() throws(JSONFault) -> JSONKind {
        skipSpace()
        guard let byte = current else { throw fault("unexpected end of the body, a value is missing") }
        guard let kind = JSONKind(firstByte: byte) else { throw fault("unexpected character, a value is missing") }
        return kind
    }

    /// Reads an object and hands each key to `member`, which must read or skip exactly one value.
    mutating func readObject(_ member: (inout JSONReader, String) throws -> Void) throws {
        try expect("{")
        if nextIs("}") { return }
        repeat {
            let key = try readString()
            try expect(":")
            try member(&self, key)
        } while nextIs(",")
        try expect("}", or: "',' or '}'")
    }

    /// Reads an array and lets `element` read or skip exactly one value per element.
    mutating func readArray(_ element: (inout JSONReader) throws -> Void) throws {
        try expect("[")
        if nextIs("]") { return }
        repeat { try element(&self) } while nextIs(",")
        try expect("]", or: "',' or ']'")
    }

    /// Checks that nothing but white space follows.
    mutating func readEnd() throws(JSONFault) {
        skipSpace()
        guard current == nil else { throw fault("unexpected character after the value") }
    }

    func fault(_ reason: String) -> JSONFault { JSONFault(reason, at: offset, in: bytes) }

    var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func advance(by count: Int = 1) { offset += count }

    mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// Moves past `byte` when it comes next.
    mutating func nextIs(_ byte: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ byte: Unicode.Scalar, or wanted: String? = nil) throws(JSONFault) {
        guard !nextIs(byte) else { return }
        let wanted = wanted ?? "'\(byte)'"
        throw fault(current == nil ? "unexpected end of the body, \(wanted) is missing" : "\(wanted) expected")
    }

    /// Length of the longest prefix that is UTF-8.
    private static func validPrefix(of bytes: [UInt8]) -> Int {
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var length = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { length += scalar.count }
        return length
    }
}
