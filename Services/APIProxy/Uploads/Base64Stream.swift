import NIOCore

/// Decodes base64 that arrives in pieces.
struct Base64Stream: Equatable {
    private var bits: UInt32 = 0
    private var count = 0
    private var padding = 0
    /// Characters that may be the prefix of a data URI, until this has been decided; nil afterwards.
    private var prefix: [UInt8]? = []

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// Decodes characters up to the end of the JSON string or an escape; returns their number.
    mutating func take(
        _ characters: ByteBufferView, into content: inout ByteBuffer
    ) throws(PhotoBatchParser.Fault) -> Int {
        var place = characters.startIndex
        while place < characters.endIndex {
            if prefix == nil, count == 0, padding == 0 {
                let length = Self.decodeGroups(characters[place...], into: &content)
                place += length
                guard length == 0 else { continue }
            }
            let byte = characters[place]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            place += 1
            try take(byte, into: &content)
        }
        return place - characters.startIndex
    }

    /// Decodes the next character.
    mutating func take(_ byte: UInt8, into content: inout ByteBuffer) throws(PhotoBatchParser.Fault) {
        guard prefix != nil else { return try decode(byte, into: &content) }
        for held in try release(byte) { try decode(held, into: &content) }
    }

    /// Decodes groups of four characters as long as all of them are base64 characters; returns the number of decoded characters.
    private static func decodeGroups(_ characters: ByteBufferView, into content: inout ByteBuffer) -> Int {
        var place = 0
        characters.withUnsafeBytes { text in
            values.withUnsafeBufferPointer { values in
                _ = content.writeWithUnsafeMutableBytes(minimumWritableBytes: text.count / 4 * 3) { decoded in
                    var written = 0
                    while place + 4 <= text.count {
                        let (a, b) = (values[Int(text[place])], values[Int(text[place + 1])])
                        let (c, d) = (values[Int(text[place + 2])], values[Int(text[place + 3])])
                        guard (a | b | c | d) < 64 else { break }
                        decoded[written] = a << 2 | b >> 4
                        decoded[written + 1] = b << 4 | c >> 2
                        decoded[written + 2] = c << 6 | d
                        place += 4
                        written += 3
                    }
                    return written
                }
            }
        }
        return place
    }

    /// Returns the characters that are not part of a data URI's prefix.
    private mutating func release(_ byte: UInt8) throws(PhotoBatchParser.Fault) -> [UInt8] {
        var start = prefix ?? []
        start.append(byte)
        let scheme = Array("data:".utf8)
        guard start.count <= scheme.count ? scheme.starts(with: start) : start.starts(with: scheme) else {
            prefix = nil
            return start
        }
        guard start.count < 256 else { throw .notBase64 }
        // The data of a data URI begins after the first comma (RFC 2397).
        prefix = byte == UInt8(ascii: ",") ? nil : start
        return []
    }

    private mutating func decode(_ byte: UInt8, into content: inout ByteBuffer) throws(PhotoBatchParser.Fault) {
        let value = Self.values[Int(byte)]
        guard value != 0xFF else {
            guard byte == UInt8(ascii: "="), count >= 2, padding < 2 else { throw .notBase64 }
            padding += 1
            return
        }
        guard padding == 0 else { throw .notBase64 }
        bits = bits << 6 | UInt32(value)
        count += 1
        guard count == 4 else { return }
        content.writeInteger(UInt8(truncatingIfNeeded: bits >> 16))
        content.writeInteger(UInt16(truncatingIfNeeded: bits))
        (bits, count) = (0, 0)
    }

    /// Call at the end of the text; the padding may be missing.
    mutating func finish(into content: inout ByteBuffer) throws(PhotoBatchParser.Fault) {
        for held in prefix ?? [] { try decode(held, into: &content) }
        switch count {
        case 0: break
        case 2: content.writeInteger(UInt8(truncatingIfNeeded: bits >> 4))
        case 3: content.writeInteger(UInt16(truncatingIfNeeded: bits >> 2))
        default: throw .notBase64
        }
        self = Base64Stream()
    }
}
