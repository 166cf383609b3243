import NIOCore

extension ByteBuffer {
    /// The bytes of a scanner's range, which counts from the reader index.
    func slice(of range: Range<Int>) -> ByteBuffer? {
        getSlice(at: readerIndex + range.lowerBound, length: range.count)
    }

    /// The string whose bytes, quotes and all, are in a scanner's range.
    func decodeString(_ range: Range<Int>) -> String {
        withUnsafeReadableBytes { JSONString.decode($0, in: range) }
    }
}
