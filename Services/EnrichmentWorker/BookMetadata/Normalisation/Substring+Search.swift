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
        unicodeScalars.split {
            $0.value < 0x80 ? $0.value == 0x20 || (9...13).contains($0.value) : $0.properties.isWhitespace
        }
        .map { Substring($0) }.joined(separator: " ")
    }
}
