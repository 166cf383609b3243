import NIOCore

extension ByteBuffer {
    /// The bytes of a scanner's range, which counts from the reader index.
    func slice(of range: Range<Int>) -> ByteBuffer? {
        getSlice(at: readerIndex + range.lowerBound, length: range.count)
    }

    /// The string whose bytes, quotes and all, are in a scanner's range.
    func decodeString(_ range: Range<Int>) -> String {
        withUnsafeReadableBytes { bytes in
            let inner = bytes[range].dropFirst().dropLast()
            let text = UnsafeRawBufferPointer(rebasing: inner)
            return JSONString.decode(inner, hasEscapes: text.firstIndex(of: UInt8(ascii: "\\"), from: 0) != nil)
        }
    }
}
