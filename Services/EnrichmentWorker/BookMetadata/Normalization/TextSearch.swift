import BookstrackContract

extension Substring {
    /// The first occurrence of a string; nil if there is none. Bytes are compared, which in UTF-8 finds only whole Unicode scalars.
    ///
    /// The standard library's search compares characters, which is much slower.
    func firstOccurrence(of needle: String) -> Range<Index>? {
        let wanted = needle.utf8
        guard let first = wanted.first else { return nil }
        var rest = utf8
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The parts between occurrences of a separator, without empty parts.
    func parts(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self
        while let range = rest.firstOccurrence(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return (parts + [rest]).filter { !$0.isEmpty }
    }

    /// The words separated by white space, joined by single spaces.
    var singleSpaced: String {
        var text = self
        return text.withUTF8 { bytes in
            if WhiteSpace.isSingleSpaced(bytes) { return String(decoding: bytes, as: UTF8.self) }
            var spaced: [UInt8] = []
            spaced.reserveCapacity(bytes.count)
            WhiteSpace.appendSingleSpaced(bytes, to: &spaced)
            return String(decoding: spaced, as: UTF8.self)
        }
    }
}

extension String {
    /// The text, or as many of its characters as the limit allows. The limit also bounds the bytes (``TextLimit``): a character may have any number
    /// of combining marks, and Unicode normalization takes time that is quadratic in that number.
    func cut(to characters: Int) -> String { TextLimit(characters: characters).fit(self) }
}

/// White space in UTF-8, found without decoding (Unicode property `White_Space`). U+0000 counts as white space, because api-proxy refuses it in the
/// texts that clients send, and clients send back the titles and names that they received (http-api.md "Validation").
enum WhiteSpace {
    /// Length in bytes of the white space at a position; 0 if there is none.
    static func length(at position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let byte = bytes[position]
        if byte < 0x80 { return byte == 0x20 || (9...13).contains(byte) || byte == 0 ? 1 : 0 }
        guard byte == 0xC2 || byte == 0xE1 || byte == 0xE2 || byte == 0xE3 else { return 0 }
        let second = position + 1 < bytes.count ? bytes[position + 1] : 0
        if byte == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
        let third = position + 2 < bytes.count ? bytes[position + 2] : 0
        switch (byte, second, third) {
        case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
            (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
            return 3
        default: return 0
        }
    }

    /// Appends the words of a string, separated by single spaces.
    static func appendSingleSpaced(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        var position = 0
        while position < text.count {
            let wordStart = position
            var gap = 0
            while position < text.count {
                gap = length(at: position, in: text)
                if gap > 0 { break }
                position += 1
            }
            if position > wordStart {
                if output.count > start { output.append(UInt8(ascii: " ")) }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: text[wordStart..<position]))
            }
            position += gap
        }
    }

    /// Whether a string consists of words separated by single spaces.
    static func isSingleSpaced(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var wasSpace = true
        for position in text.indices {
            let gap = length(at: position, in: text)
            if gap > 0, wasSpace || text[position] != UInt8(ascii: " ") { return false }
            wasSpace = gap > 0
        }
        return !wasSpace || text.isEmpty
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, in the order of first occurrence.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
