import Glibc
package import NIOCore

extension UnsafeRawBufferPointer {
    /// The first place of `byte` at or behind `begin`, found by the C library a vector at a time.
    func firstIndex(of byte: UInt8, from begin: Int) -> Int? {
        guard begin < count, let base = baseAddress,
            let found = memchr(base + begin, CInt(byte), count - begin)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether the bytes in `range` are those of `text`.
    @inline(__always)
    func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount, let base = baseAddress else { return false }
        return memcmp(base + range.lowerBound, text.utf8Start, range.count) == 0
    }
}

extension ByteBuffer {
    /// The range of the first `text` among the readable bytes, counted from the reader index.
    package func range(of text: StaticString) -> Range<Int>? {
        withUnsafeReadableBytes { bytes in
            var begin = 0
            while let candidate = bytes.firstIndex(of: text.utf8Start[0], from: begin) {
                let range = candidate..<candidate + text.utf8CodeUnitCount
                guard range.upperBound <= bytes.count else { return nil }
                if bytes.equals(text, in: range) { return range }
                begin = candidate + 1
            }
            return nil
        }
    }
}
