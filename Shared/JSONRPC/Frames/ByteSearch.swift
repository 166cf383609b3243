import Glibc

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
