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
            let key = MatchKey.words(part).joined(separator: " ")
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
        var parts = split(subject, at: " / ").flatMap { split($0, at: "--") }
        if parts.count == 1, let head = subject.split(separator: ",").first, Genre.isBISACHead(String(head)) {
            parts = split(subject, at: ",")
        }
        let trimmed = parts.map { $0.trimmed }.filter { !$0.isEmpty }
        return trimmed.count > 1 ? trimmed.filter { !["general", "etc"].contains($0.lowercased()) } : trimmed
    }

    /// `nyt:hardcover-fiction=2011-05-01`, `award:…`: bookkeeping, not a subject.
    private static func isMachineTag(_ subject: String) -> Bool {
        guard let colon = subject.firstIndex(of: ":"), colon != subject.startIndex else { return false }
        let next = subject.index(after: colon)
        return next < subject.endIndex && !subject[next].isWhitespace
            && subject[..<colon].allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "_" || $0.isNumber) }
    }

    private static func split(_ text: String, at separator: String) -> [String] {
        text.contains(separator) ? text.split(separator: separator).map(String.init) : [text]
    }
}

extension String {
    /// The text without white space and full stops at its ends, and with single spaces inside.
    fileprivate var trimmed: String {
        var text = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        while text.hasSuffix(".") || text.hasSuffix(",") { text.removeLast() }
        return text
    }
}
