import Glibc
package import NIOCore

/// JSON strings to and from their escaped form (RFC 8259 §7).
package enum JSONString {
    /// Decodes a string that the scanner has accepted, its quotes being at the ends of `range`.
    static func decode(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> String {
        let inner = UnsafeRawBufferPointer(rebasing: bytes[range].dropFirst().dropLast())
        return decode(inner[...], hasEscapes: inner.firstIndex(of: UInt8(ascii: "\\"), from: 0) != nil)
    }

    /// Decodes the bytes between the quotes of a string that the scanner has accepted.
    static func decode(_ bytes: UnsafeRawBufferPointer.SubSequence, hasEscapes: Bool) -> String {
        guard hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt8] = []
        units.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                units.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "u"): units.append(contentsOf: decodeCodeUnits(&rest).utf8)
            case let other?: units.append(other)
            case nil: break
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// The character of one `XXXX`, or of a pair `XXXX\uXXXX`.
    private static func decodeCodeUnits(_ rest: inout UnsafeRawBufferPointer.SubSequence) -> String {
        var units = [codeUnit(&rest)]
        if UTF16.isLeadSurrogate(units[0]) {
            rest = rest.dropFirst(2)
            units.append(codeUnit(&rest))
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func codeUnit(_ rest: inout UnsafeRawBufferPointer.SubSequence) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            unit = unit << 4 | (rest.popFirst().flatMap(JSONCursor.hexadecimalDigit) ?? 0)
        }
        return unit
    }

    /// Writes `text` with its quotes.
    package static func write(_ text: String, to buffer: inout ByteBuffer) {
        var text = text
        text.withUTF8 { bytes in
            buffer.reserveCapacity(minimumWritableBytes: bytes.count + 2)
            buffer.writeInteger(UInt8(ascii: "\""))
            if bytes.contains(where: needsEscape) {
                for byte in bytes { writeEscaped(byte, to: &buffer) }
            } else {
                buffer.writeBytes(UnsafeRawBufferPointer(bytes))
            }
            buffer.writeInteger(UInt8(ascii: "\""))
        }
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscaped(_ byte: UInt8, to buffer: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""): buffer.writeStaticString("\\\"")
        case UInt8(ascii: "\\"): buffer.writeStaticString("\\\\")
        case 0..<0x20:
            let digits: StaticString = "0123456789abcdef"
            buffer.writeStaticString("\\u00")
            buffer.writeInteger(digits.utf8Start[Int(byte >> 4)])
            buffer.writeInteger(digits.utf8Start[Int(byte & 15)])
        default: buffer.writeInteger(byte)
        }
    }
}

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
