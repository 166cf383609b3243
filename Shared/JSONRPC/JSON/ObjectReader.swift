package import NIOCore

/// The members of one small JSON object by name, for objects that are read too often for a `Decoder`.
package struct ObjectReader {
    private let json: ByteBuffer
    private var members: [String: MemberCursor.Member] = [:]

    /// nil when `json` is not one whole object.
    package init?(_ json: ByteBuffer) {
        self.json = json
        guard
            let members = json.withUnsafeReadableBytes({ bytes -> [String: MemberCursor.Member]? in
                var members: [String: MemberCursor.Member] = [:]
                do throws(ScanFault) {
                    var cursor = try MemberCursor(bytes)
                    while let member = try cursor.next() {
                        members[JSONString.decode(bytes[member.key], hasEscapes: member.keyHasEscapes)] = member
                    }
                    try cursor.finish()
                    return members
                } catch {
                    return nil
                }
            })
        else { return nil }
        self.members = members
    }

    /// The raw bytes of a value of any kind.
    package func json(_ name: String) -> ByteBuffer? {
        members[name].flatMap { json.slice(of: $0.value) }
    }

    /// The raw bytes of an object.
    package func object(_ name: String) -> ByteBuffer? {
        members[name]?.kind == .object ? json(name) : nil
    }

    package func string(_ name: String) -> String? {
        guard let member = members[name], member.kind == .string else { return nil }
        return json.decodeString(member.value)
    }

    package func integer(_ name: String) -> Int? {
        guard let member = members[name], member.kind == .number else { return nil }
        return json.slice(of: member.value).flatMap { Int(String(buffer: $0)) }
    }

    package func boolean(_ name: String) -> Bool? {
        guard let member = members[name], member.kind == .boolean else { return nil }
        return json.getInteger(at: json.readerIndex + member.value.lowerBound) == UInt8(ascii: "t")
    }
}

/// The elements of one JSON array as raw JSON.
package struct ArrayReader {
    package private(set) var elements: [ByteBuffer] = []

    /// nil when `json` is not one whole array.
    package init?(_ json: ByteBuffer) {
        let ranges = json.withUnsafeReadableBytes { bytes in try? Self.ranges(bytes) }
        guard let ranges else { return nil }
        elements = ranges.compactMap { json.slice(of: $0) }
    }

    private static func ranges(_ bytes: UnsafeRawBufferPointer) throws(ScanFault) -> [Range<Int>] {
        var cursor = ElementCursor(bytes)
        var ranges: [Range<Int>] = []
        while let element = try cursor.next() { ranges.append(element.range) }
        try cursor.finish()
        return ranges
    }
}

/// Walks over the elements of one array: where each is, checked but not decoded.
struct ElementCursor {
    private var cursor: JSONCursor
    private var isFirst = true

    /// Begins at an array that starts, after white space, at `index`.
    init(_ bytes: UnsafeRawBufferPointer, at index: Int = 0) {
        cursor = JSONCursor(bytes, at: index, outerDepth: 1)
    }

    /// The next element; nil after the last, the cursor then being behind the closing bracket.
    mutating func next() throws(ScanFault) -> (range: Range<Int>, kind: JSONKind)? {
        cursor.skipWhitespace()
        if isFirst {
            try cursor.skip(UInt8(ascii: "["))
            cursor.skipWhitespace()
        }
        if cursor.byte == UInt8(ascii: "]") {
            cursor.index &+= 1
            return nil
        }
        if !isFirst {
            try cursor.skip(UInt8(ascii: ","))
            cursor.skipWhitespace()
        }
        isFirst = false
        let begin = cursor.index
        let kind = try cursor.skipValue()
        return (begin..<cursor.index, kind)
    }

    /// Checks that only white space follows.
    mutating func finish() throws(ScanFault) { try cursor.finish() }
}

/// Walks over the members of one object: where each key and value is, the values checked but not decoded.
struct MemberCursor {
    /// One `"key": value`.
    struct Member {
        /// The key's bytes between its quotes.
        let key: Range<Int>
        let keyHasEscapes: Bool
        let value: Range<Int>
        let kind: JSONKind
    }

    private(set) var cursor: JSONCursor
    private var isFirst = true

    /// Begins at an object that starts, after white space, at `index`.
    ///
    /// - Throws: `notAnObject` when another value starts there.
    init(_ bytes: UnsafeRawBufferPointer, at index: Int = 0) throws(ScanFault) {
        cursor = JSONCursor(bytes, at: index, outerDepth: 1)
        cursor.skipWhitespace()
        guard cursor.byte == UInt8(ascii: "{") else { throw try Self.faultOfOtherValue(cursor) }
        cursor.index &+= 1
    }

    /// Valid JSON that is not an object is a different fault from invalid JSON.
    private static func faultOfOtherValue(_ start: JSONCursor) throws(ScanFault) -> ScanFault {
        var cursor = JSONCursor(start.bytes, at: start.index)
        _ = try cursor.skipValue()
        cursor.skipWhitespace()
        guard cursor.byte == nil else { return cursor.unexpected() }
        return start.fault(.notAnObject)
    }

    /// The next member; nil after the last, the cursor then being behind the closing bracket.
    @inline(__always)
    mutating func next() throws(ScanFault) -> Member? {
        cursor.skipWhitespace()
        if cursor.byte == UInt8(ascii: "}") {
            cursor.index &+= 1
            return nil
        }
        if !isFirst {
            try cursor.skip(UInt8(ascii: ","))
            cursor.skipWhitespace()
        }
        isFirst = false
        return try member()
    }

    @inline(__always)
    private mutating func member() throws(ScanFault) -> Member {
        let keyBegin = cursor.index &+ 1
        guard cursor.byte == UInt8(ascii: "\"") else { throw cursor.unexpected() }
        let keyHasEscapes = try cursor.skipString()
        let key = keyBegin..<(cursor.index &- 1)
        cursor.skipWhitespace()
        try cursor.skip(UInt8(ascii: ":"))
        cursor.skipWhitespace()
        let begin = cursor.index
        let kind = try cursor.skipValue()
        return Member(key: key, keyHasEscapes: keyHasEscapes, value: begin..<cursor.index, kind: kind)
    }

    /// Checks that only white space follows.
    @inline(__always)
    mutating func finish() throws(ScanFault) { try cursor.finish() }
}
