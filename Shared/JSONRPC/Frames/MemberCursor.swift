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

    /// A text that is whole JSON but no object is another fault than a text that is no JSON.
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
