/// Reads a JSON text from front to back and builds only the values that its caller requests. This is the interface for request bodies and clients'
/// messages.
///
/// Foundation's decoder is unsuitable: it keeps the first of several duplicate keys, whereas http-api.md "Validation" requires the last one, and on
/// Linux, it does not report where a body is invalid. Skipped values are validated without recursion, so neither nesting nor size costs memory beyond
/// the text itself.
package struct JSONReader: ~Copyable {
    /// Maximum number of values in one object that are skipped although `member` has refused them; the next refusal ends the reading. Otherwise, a
    /// body with millions of refused members would take memory for each of their errors. No object in a request has more known members than this,
    /// except an import's column mapping.
    private static let maxRefusedMembers = 16

    private var cursor: JSONCursor

    private init(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        cursor = JSONCursor(bytes)
        // The whole text is checked first, so invalid UTF-8 anywhere is reported before any other fault.
        var check = cursor
        try check.skipUTF8()
    }

    /// Reads a text that is exactly one value.
    ///
    /// - Parameter read: Must read or skip that value.
    /// - Throws: `JSONFault`, or what `read` throws.
    package static func read<Value>(
        _ bytes: [UInt8], _ read: (inout JSONReader) throws -> Value
    ) throws -> Value {
        try bytes.withUnsafeBytes { bytes in
            var reader = try JSONReader(bytes)
            let value = try read(&reader)
            try reader.cursor.finish()
            return value
        }
    }

    /// Kind of the next value.
    package mutating func peek() throws(JSONFault) -> JSONKind {
        cursor.skipWhitespace()
        guard let kind = cursor.byte.flatMap({ JSONKind(firstByte: $0) }) else { throw cursor.missing(.value) }
        return kind
    }

    /// Reads an object and passes each key to `member`, which must read or skip exactly one value.
    ///
    /// Of a repeated key, only the last value counts. Therefore, if `member` throws an error other than `JSONFault`, the value is skipped, and the
    /// error is thrown only at the end of the object, unless the key has occurred again by then. Of several such errors, the first is thrown.
    package mutating func readObject(_ member: (inout JSONReader, String) throws -> Void) throws {
        try expect("{", .openingBrace)
        if nextIs("}") { return }
        var refused: [(key: String, error: any Error)] = []
        repeat {
            let key = try readString()
            try expect(":", .colon)
            let value = cursor
            refused.removeAll { $0.key == key }
            do {
                try member(&self, key)
            } catch let error where !(error is JSONFault) && refused.count < Self.maxRefusedMembers {
                refused.append((key, error))
                cursor = value
                try skipValue()
            }
        } while nextIs(",")
        try expect("}", .commaOrBrace)
        if let first = refused.first { throw first.error }
    }

    /// Reads an array and calls `element` once per element; each call must read or skip exactly one value.
    package mutating func readArray(_ element: (inout JSONReader) throws -> Void) throws {
        try expect("[", .openingBracket)
        if nextIs("]") { return }
        repeat { try element(&self) } while nextIs(",")
        try expect("]", .commaOrBracket)
    }

    /// Reads a string.
    package mutating func readString() throws(JSONFault) -> String {
        cursor.skipWhitespace()
        guard cursor.byte == UInt8(ascii: "\"") else { throw cursor.missing(.string) }
        let start = cursor.index + 1
        let hasEscapes = try cursor.skipString()
        return JSONString.decode(cursor.bytes, content: start..<(cursor.index - 1), hasEscapes: hasEscapes)
    }

    /// Reads a value of any kind; nil unless it is a number without fraction or exponent that fits into `Int`.
    package mutating func readInteger() throws(JSONFault) -> Int? {
        cursor.skipWhitespace()
        let start = cursor.index
        guard try cursor.skipValue() == .number else { return nil }
        return Int(String(decoding: cursor.bytes[start..<cursor.index], as: UTF8.self))
    }

    /// Validates one value of any kind and moves past it.
    package mutating func skipValue() throws(JSONFault) {
        cursor.skipWhitespace()
        _ = try cursor.skipValue()
    }

    private mutating func nextIs(_ character: Unicode.Scalar) -> Bool {
        cursor.skipWhitespace()
        return cursor.skip(ifNext: UInt8(ascii: character))
    }

    private mutating func expect(_ character: Unicode.Scalar, _ token: JSONFault.Token) throws(JSONFault) {
        guard nextIs(character) else { throw cursor.missing(token) }
    }
}

/// The kind of a JSON value, which its first byte determines (RFC 8259 §3).
package enum JSONKind: Sendable, Equatable {
    case object, array, string, number, boolean, null

    init?(firstByte: UInt8) {
        switch firstByte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: return nil
        }
    }
}
