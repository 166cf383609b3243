package import NIOCore

/// Walks over the members of an object and returns the position of each key and value. Values are validated but not decoded.
struct MemberCursor {
    /// One `"key": value`.
    struct Member {
        /// The key's bytes between its quotes.
        let key: Range<Int>
        let keyHasEscapes: Bool
        let value: Range<Int>
        let kind: JSONKind

        /// The key with escapes resolved.
        func name(in bytes: UnsafeRawBufferPointer) -> String {
            JSONString.decode(bytes, content: key, hasEscapes: keyHasEscapes)
        }
    }

    private var cursor: JSONCursor
    private var isFirst = true

    /// Begins at the object at `index`, after any white space.
    ///
    /// - Throws: `notAnObject` if the text from there on is one valid value of another kind; otherwise, the fault in the text.
    init(_ bytes: UnsafeRawBufferPointer, at index: Int = 0) throws(JSONFault) {
        cursor = JSONCursor(bytes, at: index, outerDepth: 1)
        cursor.skipWhitespace()
        guard cursor.skip(ifNext: UInt8(ascii: "{")) else { throw try Self.faultOfOtherValue(cursor) }
    }

    /// Returns `notAnObject` if the text from `start` on is one valid value; otherwise, throws the fault in it.
    private static func faultOfOtherValue(_ start: JSONCursor) throws(JSONFault) -> JSONFault {
        var cursor = JSONCursor(start.bytes, at: start.index)
        _ = try cursor.skipValue()
        try cursor.finish()
        return start.fault(.notAnObject)
    }

    /// Returns the next member; nil after the last one, when the cursor is past the closing brace.
    @inline(__always)
    mutating func next() throws(JSONFault) -> Member? {
        cursor.skipWhitespace()
        if cursor.skip(ifNext: UInt8(ascii: "}")) { return nil }
        if isFirst {
            isFirst = false
        } else {
            guard cursor.skip(ifNext: UInt8(ascii: ",")) else { throw cursor.missing(.commaOrBrace) }
            cursor.skipWhitespace()
        }
        return try member()
    }

    @inline(__always)
    private mutating func member() throws(JSONFault) -> Member {
        let keyStart = cursor.index &+ 1
        guard cursor.byte == UInt8(ascii: "\"") else { throw cursor.missing(.string) }
        let keyHasEscapes = try cursor.skipString()
        let key = keyStart..<(cursor.index &- 1)
        cursor.skipWhitespace()
        guard cursor.skip(ifNext: UInt8(ascii: ":")) else { throw cursor.missing(.colon) }
        cursor.skipWhitespace()
        let start = cursor.index
        let kind = try cursor.skipValue()
        return Member(key: key, keyHasEscapes: keyHasEscapes, value: start..<cursor.index, kind: kind)
    }

    /// Checks that only white space follows.
    @inline(__always)
    mutating func finish() throws(JSONFault) { try cursor.finish() }
}

/// Walks over the elements of an array and returns the position of each. Elements are validated but not decoded.
struct ElementCursor {
    private var cursor: JSONCursor
    private var isFirst = true

    /// Begins at the array at `index`, after any white space. If no array is there, the first call of ``next()`` throws.
    init(_ bytes: UnsafeRawBufferPointer, at index: Int = 0) {
        cursor = JSONCursor(bytes, at: index, outerDepth: 1)
    }

    /// Returns the next element; nil after the last one, when the cursor is past the closing bracket.
    mutating func next() throws(JSONFault) -> (range: Range<Int>, kind: JSONKind)? {
        cursor.skipWhitespace()
        if isFirst {
            guard cursor.skip(ifNext: UInt8(ascii: "[")) else { throw cursor.missing(.openingBracket) }
            cursor.skipWhitespace()
        }
        if cursor.skip(ifNext: UInt8(ascii: "]")) { return nil }
        if !isFirst {
            guard cursor.skip(ifNext: UInt8(ascii: ",")) else { throw cursor.missing(.commaOrBracket) }
            cursor.skipWhitespace()
        }
        isFirst = false
        let start = cursor.index
        let kind = try cursor.skipValue()
        return (start..<cursor.index, kind)
    }

    /// Checks that only white space follows.
    mutating func finish() throws(JSONFault) { try cursor.finish() }
}

/// The members of one small JSON object by name, for objects that are read so often that a `Decoder` would be too slow.
package struct ObjectReader {
    private let json: ByteBuffer
    /// The members in the order of the text. In a small object, comparing the names one by one is faster than a dictionary lookup.
    private let members: [MemberCursor.Member]

    /// Nil if `json` is not exactly one object.
    package init?(_ json: ByteBuffer) {
        let members = json.withUnsafeReadableBytes { bytes in try? Self.members(of: bytes) }
        guard let members else { return nil }
        self.json = json
        self.members = members
    }

    private static func members(of bytes: UnsafeRawBufferPointer) throws(JSONFault) -> [MemberCursor.Member] {
        var members: [MemberCursor.Member] = []
        members.reserveCapacity(8)
        var cursor = try MemberCursor(bytes)
        while let member = try cursor.next() { members.append(member) }
        try cursor.finish()
        return members
    }

    /// The member; if it is repeated, the last one. Nil if there is none.
    private func member(_ name: StaticString) -> MemberCursor.Member? {
        json.withUnsafeReadableBytes { bytes in
            members.last {
                $0.keyHasEscapes ? $0.name(in: bytes) == name.description : bytes.equals(name, in: $0.key)
            }
        }
    }

    private func member(_ name: StaticString, of kind: JSONKind) -> MemberCursor.Member? {
        member(name).flatMap { $0.kind == kind ? $0 : nil }
    }

    /// The raw bytes of a value of any kind; nil if there is no such member.
    package func json(_ name: StaticString) -> ByteBuffer? {
        member(name).flatMap { json.slice(of: $0.value) }
    }

    /// The raw bytes of an object; nil if there is no such member or it has another kind.
    package func object(_ name: StaticString) -> ByteBuffer? {
        member(name, of: .object).flatMap { json.slice(of: $0.value) }
    }

    /// The members of an object; nil if there is no such member or it has another kind.
    package func reader(_ name: StaticString) -> ObjectReader? { object(name).flatMap { ObjectReader($0) } }

    package func string(_ name: StaticString) -> String? {
        member(name, of: .string).map { json.decodeString($0.value) }
    }

    /// The value of a number without fraction or exponent that fits into the type; nil for other values or if there is no such member.
    package func integer<Number: FixedWidthInteger>(_ name: StaticString, as type: Number.Type = Int.self) -> Number? {
        member(name, of: .number).flatMap { member in
            json.withUnsafeReadableBytes { Number(String(decoding: $0[member.value], as: UTF8.self)) }
        }
    }

    package func boolean(_ name: StaticString) -> Bool? {
        member(name, of: .boolean).flatMap {
            json.getInteger(at: json.readerIndex + $0.value.lowerBound, as: UInt8.self) == UInt8(ascii: "t")
        }
    }
}

/// The elements of one JSON array as raw JSON.
package struct ArrayReader {
    package private(set) var elements: [ByteBuffer] = []

    /// Nil if `json` is not exactly one array.
    package init?(_ json: ByteBuffer) {
        let ranges = json.withUnsafeReadableBytes { bytes in try? Self.ranges(bytes) }
        guard let ranges else { return nil }
        elements = ranges.compactMap { json.slice(of: $0) }
    }

    private static func ranges(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) -> [Range<Int>] {
        var cursor = ElementCursor(bytes)
        var ranges: [Range<Int>] = []
        while let element = try cursor.next() { ranges.append(element.range) }
        try cursor.finish()
        return ranges
    }
}

extension ByteBuffer {
    /// The bytes of a cursor's range, relative to the reader index.
    package func slice(of range: Range<Int>) -> ByteBuffer? {
        getSlice(at: readerIndex + range.lowerBound, length: range.count)
    }

    /// The string in a cursor's range, which includes the quotes.
    package func decodeString(_ range: Range<Int>) -> String {
        withUnsafeReadableBytes { JSONString.decode($0, in: range) }
    }
}
