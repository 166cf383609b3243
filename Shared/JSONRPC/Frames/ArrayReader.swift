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
        var cursor = JSONCursor(bytes, outerDepth: 1)
        cursor.skipWhitespace()
        try cursor.skip(UInt8(ascii: "["))
        cursor.skipWhitespace()
        var ranges: [Range<Int>] = []
        while cursor.byte != UInt8(ascii: "]") {
            if !ranges.isEmpty {
                try cursor.skip(UInt8(ascii: ","))
                cursor.skipWhitespace()
            }
            let begin = cursor.index
            _ = try cursor.skipValue()
            ranges.append(begin..<cursor.index)
            cursor.skipWhitespace()
        }
        cursor.index &+= 1
        cursor.skipWhitespace()
        guard cursor.byte == nil else { throw cursor.unexpected() }
        return ranges
    }
}
