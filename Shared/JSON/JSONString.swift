import Glibc
package import NIOCore

/// Converts JSON strings to and from their escaped form (RFC 8259 §7).
package enum JSONString {
    /// Decodes a string that a cursor has accepted; `range` includes its quotes.
    static func decode(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> String {
        let inner = UnsafeRawBufferPointer(rebasing: bytes[range].dropFirst().dropLast())
        return decode(inner, hasEscapes: inner.firstIndex(of: UInt8(ascii: "\\"), from: 0) != nil)
    }

    /// Decodes a string whose quotes surround `content`.
    static func decode(_ bytes: UnsafeRawBufferPointer, content: Range<Int>, hasEscapes: Bool) -> String {
        decode(UnsafeRawBufferPointer(rebasing: bytes[content]), hasEscapes: hasEscapes)
    }

    /// Decodes the bytes between the quotes of a string that a cursor has accepted. Lone surrogates and invalid UTF-8 become U+FFFD.
    private static func decode(_ bytes: UnsafeRawBufferPointer, hasEscapes: Bool) -> String {
        guard hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { text in
            // No escape is shorter than the UTF-8 form of its character.
            String(decoding: UnsafeRawBufferPointer(rebasing: text[..<resolve(bytes, into: text)]), as: UTF8.self)
        }
    }

    /// Writes a string's content into `text`, with its escapes resolved, and returns the number of bytes written.
    private static func resolve(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) -> Int {
        var (index, length) = (0, 0)
        while index < bytes.count {
            let escape = bytes.firstIndex(of: UInt8(ascii: "\\"), from: index) ?? bytes.count
            UnsafeMutableRawBufferPointer(rebasing: text[length...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[index..<escape]))
            length += escape - index
            index = escape + 2
            guard escape + 1 < bytes.count else { break }
            switch bytes[escape + 1] {
            case UInt8(ascii: "u"):
                let (scalar, end) = scalar(at: escape, in: bytes)
                for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    text[length] = unit
                    length += 1
                }
                index = end
                continue
            case UInt8(ascii: "b"): text[length] = 0x08
            case UInt8(ascii: "f"): text[length] = 0x0C
            case UInt8(ascii: "n"): text[length] = 0x0A
            case UInt8(ascii: "r"): text[length] = 0x0D
            case UInt8(ascii: "t"): text[length] = 0x09
            case let other: text[length] = other
            }
            length += 1
        }
        return length
    }

    /// Returns the character of `\uXXXX`, or of two such escapes that form a surrogate pair, and where the escapes end. The character of a lone
    /// surrogate is U+FFFD.
    private static func scalar(at escape: Int, in bytes: UnsafeRawBufferPointer) -> (Unicode.Scalar, end: Int) {
        let (unit, end) = (codeUnit(at: escape, in: bytes), escape + 6)
        if let scalar = Unicode.Scalar(unit) { return (scalar, end) }
        guard UTF16.isLeadSurrogate(unit), end + 6 <= bytes.count, bytes[end] == UInt8(ascii: "\\"),
            bytes[end + 1] == UInt8(ascii: "u")
        else { return ("\u{FFFD}", end) }
        let trail = codeUnit(at: end, in: bytes)
        guard UTF16.isTrailSurrogate(trail) else { return ("\u{FFFD}", end) }
        return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), end + 6)
    }

    private static func codeUnit(at escape: Int, in bytes: UnsafeRawBufferPointer) -> UInt16 {
        bytes[(escape + 2)..<(escape + 6)].reduce(0) { $0 << 4 | (hexadecimalDigit($1) ?? 0) }
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

// MARK: Writing

extension JSONString {
    /// Writes `text` with its quotes.
    package static func write(_ text: String, to buffer: inout ByteBuffer) {
        var text = text
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            if let first = bytes.firstIndex(where: needsEscape) {
                writeEscaping(bytes, from: first, to: &buffer)
            } else {
                writePlain(bytes, to: &buffer)
            }
        }
    }

    private static let quote = UInt8(ascii: "\"")

    /// Writes a string without escapes in one step, because nearly every member name and string of a frame is written here.
    private static func writePlain(_ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: bytes.count + 2) { target in
            target[0] = quote
            UnsafeMutableRawBufferPointer(rebasing: target[1...]).copyMemory(from: bytes)
            target[bytes.count + 1] = quote
            return bytes.count + 2
        }
    }

    /// Writes a string with its quotes and escapes.
    ///
    /// - Parameter first: Index of the first byte that needs an escape.
    private static func writeEscaping(
        _ bytes: UnsafeRawBufferPointer, from first: Int, to buffer: inout ByteBuffer
    ) {
        var (start, next) = (0, Optional(first))
        buffer.writeInteger(quote)
        while let place = next {
            buffer.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
            writeEscape(of: bytes[place], to: &buffer)
            start = place + 1
            next = bytes[start...].firstIndex(where: needsEscape)
        }
        buffer.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        buffer.writeInteger(quote)
    }

    /// Whether a byte of a string must be escaped; other bytes are written as they are.
    @inlinable @inline(__always)
    package static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Maximum length of an escape in bytes: no escape is longer than `\u001f`.
    package static let maxEscape = 6

    private static func writeEscape(of byte: UInt8, to buffer: inout ByteBuffer) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: maxEscape) { escape(byte, to: $0) }
    }

    /// Writes the escape of a byte for which ``needsEscape(_:)`` is true, and returns the escape's length.
    ///
    /// - Parameter target: Room for ``maxEscape`` bytes.
    package static func escape(_ byte: UInt8, to target: UnsafeMutableRawBufferPointer) -> Int {
        target[0] = UInt8(ascii: "\\")
        guard byte < 0x20 else {
            target[1] = byte
            return 2
        }
        let digits: StaticString = "0123456789abcdef"
        (target[1], target[2], target[3]) = (UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"))
        target[4] = digits.utf8Start[Int(byte >> 4)]
        target[5] = digits.utf8Start[Int(byte & 15)]
        return maxEscape
    }
}

// MARK: Searching bytes

extension UnsafeRawBufferPointer {
    /// The first position of `byte` at or after `start`, nil if there is none; the C library searches a vector at a time.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, CInt(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether the bytes in `range` are those of `text`.
    @inline(__always)
    package func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount, let base = baseAddress else { return false }
        return memcmp(base + range.lowerBound, text.utf8Start, range.count) == 0
    }
}

extension ByteBuffer {
    /// The range of the first occurrence of `text` in the readable bytes, relative to the reader index; nil if there is none.
    package func range(of text: StaticString) -> Range<Int>? {
        withUnsafeReadableBytes { bytes in
            var start = 0
            while let candidate = bytes.firstIndex(of: text.utf8Start[0], from: start) {
                let range = candidate..<candidate + text.utf8CodeUnitCount
                guard range.upperBound <= bytes.count else { return nil }
                if bytes.equals(text, in: range) { return range }
                start = candidate + 1
            }
            return nil
        }
    }
}
