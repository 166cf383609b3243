/// Encoding of a file's text. The raw values are the names in the IANA registry, in lower case.
package enum TextEncoding: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    /// Western Europe.
    case windows1252 = "windows-1252"
    /// Central Europe.
    case windows1250 = "windows-1250"
    /// Cyrillic.
    case windows1251 = "windows-1251"
    /// Western Europe, on a Macintosh.
    case macRoman = "macintosh"

    /// The code page of a single-byte encoding; nil for UTF-8 and UTF-16.
    var codePage: CodePage? {
        switch self {
        case .windows1252: .windows1252
        case .windows1250: .windows1250
        case .windows1251: .windows1251
        case .macRoman: .macRoman
        case .utf8, .utf16LittleEndian, .utf16BigEndian: nil
        }
    }

    /// The encoding indicated by a byte order mark at the start of a text, and the length of the mark.
    static func marked(_ bytes: UnsafeBufferPointer<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// UTF-16 without a byte order mark, recognized by its zero bytes: in every language, delimiters, digits and line ends contain a zero byte,
    /// always on the same side.
    static func unmarkedUTF16(_ bytes: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
        var zeros = (even: 0, odd: 0)
        for index in bytes.indices where bytes[index] == 0 {
            if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
        }
        guard (zeros.even + zeros.odd) * 20 >= bytes.count else { return nil }
        if zeros.odd > 10 * zeros.even { return .utf16LittleEndian }
        return zeros.even > 10 * zeros.odd ? .utf16BigEndian : nil
    }
}
