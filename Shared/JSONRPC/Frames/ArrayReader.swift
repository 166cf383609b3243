package import NIOCore

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
