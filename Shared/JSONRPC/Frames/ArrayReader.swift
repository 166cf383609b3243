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
