/// Turns the subjects of all providers into the tags of a work (spec/04 "Subject tags").
package enum SubjectTags {
    /// Most tags a work has.
    package static let limit = 25

    /// Longest subject kept, in characters; longer ones are sentences.
    private static let longestTag = 100

    /// Canonical genres first, in the order of first mention, then other subjects as given; duplicates folded.
    package static func normalise(_ subjects: some Sequence<String>) -> [String] {
        var seen: Set<String> = []
        var genres: [String] = []
        var others: [String] = []
        for part in subjects.lazy.flatMap(parts(of:)) {
            let key = MatchKey.phrase(part)
            if let canonical = Genre.synonyms[key] {
                genres += canonical.map(\.rawValue).filter { seen.insert("genre \($0)").inserted }
            } else if !key.isEmpty, others.count < limit, part.count <= longestTag, seen.insert(key).inserted {
                others.append(part)
            }
        }
        return Array((genres + others).prefix(limit))
    }

    /// Splits "Fiction / Science Fiction / General" (BISAC), "Fiction, fantasy, general" (BISAC as Open Library prints
    /// it) and "Traffic accidents -- Fiction" (Library of Congress).
    private static func parts(of subject: String) -> [String] {
        guard !isMachineTag(subject) else { return [] }
        var parts = subject[...].parts(separatedBy: " / ").flatMap { $0.parts(separatedBy: "--") }
        if parts.count == 1, let comma = subject.utf8.firstIndex(of: UInt8(ascii: ",")),
            Genre.isBISACHead(subject[..<comma])
        {
            parts = parts[0].parts(separatedBy: ",")
        }
        let trimmed = parts.map(\.trimmed).filter { !$0.isEmpty }
        return trimmed.count > 1 ? trimmed.filter { !["general", "etc"].contains($0.lowercased()) } : trimmed
    }

    /// `nyt:hardcover-fiction=2011-05-01`, `award:…`: bookkeeping, not a subject.
    private static func isMachineTag(_ subject: String) -> Bool {
        let bytes = subject.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon != bytes.startIndex else { return false }
        guard let next = bytes[colon...].dropFirst().first, next != UInt8(ascii: " ") else { return false }
        return bytes[..<colon].allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
        }
    }
}

extension Substring {
    /// The text without white space and full stops at its ends, and with single spaces inside.
    fileprivate var trimmed: String {
        var text = singleSpaced
        while text.hasSuffix(".") || text.hasSuffix(",") { text.removeLast() }
        return text
    }
}
