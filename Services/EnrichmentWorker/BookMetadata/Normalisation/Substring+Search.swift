extension Substring {
    /// The first occurrence of a text, compared byte by byte, which for UTF-8 finds whole characters.
    ///
    /// The standard library's search compares characters and takes a hundred times as long.
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

    /// The parts between the occurrences of a separator, empty ones left out.
    func parts(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self
        while let range = rest.firstOccurrence(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return (parts + [rest]).filter { !$0.isEmpty }
    }

    /// The words between white space, joined by single spaces.
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
    /// The text, or as many of its characters as a limit allows.
    func cut(to characters: Int) -> String { utf8.count <= characters ? self : String(prefix(characters)) }
}
