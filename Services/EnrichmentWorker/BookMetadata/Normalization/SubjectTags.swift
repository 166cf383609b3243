import BookstrackContract

/// Converts the subjects from all providers to a work's tags (metadata.md "Mapping").
package enum SubjectTags {
    /// Maximum number of tags per work.
    package static let limit = 25

    /// Maximum length of a subject; longer subjects are sentences.
    private static let maxTagLength = TextLimit(characters: 100)

    /// Maximum length of a heading with all its parts; only its bytes are counted, and longer headings are skipped without being parsed.
    private static let maxHeadingLength = TextLimit(characters: 500)

    /// Canonical genres, then other subjects, each in order of first appearance and without duplicates; at most ``limit`` tags.
    package static func normalize(_ subjects: some Sequence<String>) -> [String] {
        var seen: Set<String> = []
        var genres: [String] = []
        var others: [String] = []
        let headings = subjects.lazy.filter { $0.utf8.count <= maxHeadingLength.bytes }
        for heading in headings {
            var isFiction = false
            for (place, part) in parts(of: heading).enumerated() where part.utf8.count <= maxTagLength.bytes {
                let key = MatchKey.phrase(part)
                let isGenre = place == 0 || isFiction || !Genre.isAdjective(key)
                if isGenre, let canonical = Genre.synonyms[key] {
                    if canonical.contains(where: \.isFiction) { isFiction = true }
                    genres += canonical.map(\.rawValue).filter { seen.insert("genre \($0)").inserted }
                } else if others.count < limit, isSubject(part, key: key), seen.insert(key).inserted {
                    others.append(part)
                }
            }
        }
        return Array((genres + others).prefix(limit))
    }

    /// Splits "Fiction / Science Fiction / General" (BISAC), "Fiction, fantasy, general" (BISAC as printed by Open Library) and "Traffic accidents --
    /// Fiction" (Library of Congress); a string that may be a single subject is split only if one part is a genre or "General". Writing about
    /// literature is not a genre: "Fiction -- History and criticism" is one subject. A tag for bookkeeping has no parts.
    private static func parts(of subject: String) -> [String] {
        guard subject.utf8.contains(where: isSeparatorByte) else { return [subject[...].trimmed] }
        guard !isMachineTag(subject) else { return [] }
        var parts = headingParts(of: subject[...]).flatMap { $0.parts(separatedBy: "--") }
        if parts.count == 1 { parts = looseParts(of: parts[0]) }
        return parts.count > 1 && parts.contains(where: isCriticism) ? [subject[...].trimmed] : parts.map(\.trimmed)
    }

    /// The parts of a BISAC heading: either no part begins with a small letter, or one of them is a genre or "General". "Designed / suitable for
    /// National Curriculum" is one subject.
    private static func headingParts(of subject: Substring) -> [Substring] {
        let parts = subject.parts(separatedBy: " / ")
        let isHeading = parts.allSatisfy { $0.trimmed.first?.isLowercase == false } || isCompound(parts)
        return isHeading ? parts : [subject]
    }

    private static func isCompound(_ parts: [Substring]) -> Bool {
        parts.contains { Genre.named($0) != nil || $0.trimmed.lowercased() == "general" }
    }

    /// Whether a part is like "History and criticism", "Criticism and interpretation" or "Literary Criticism".
    private static func isCriticism(_ part: Substring) -> Bool {
        part.lowercased()[...].firstOccurrence(of: "criticism") != nil
    }

    private static func isSubject(_ part: String, key: String) -> Bool {
        !key.isEmpty && maxTagLength.admits(part) && !Bookkeeping.isBookkeeping(key)
    }

    /// Whether a byte may be part of a separator; most subjects contain no such byte and are not split.
    private static func isSeparatorByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: ","), UInt8(ascii: ":"): true
        default: false
        }
    }

    /// The parts of subjects such as "Business/Economics", "Science Fiction - General" and "Children: Young Adult (Gr. 10-12)".
    private static func looseParts(of subject: Substring) -> [Substring] {
        if let comma = subject.utf8.firstIndex(of: UInt8(ascii: ",")), Genre.isBISACHead(subject[..<comma]) {
            return subject.parts(separatedBy: ",")
        }
        for separator in ["/", " - ", ": "] {
            let parts = subject.parts(separatedBy: separator).map(withoutBracket)
            if parts.count > 1, isCompound(parts) { return parts }
        }
        return [subject]
    }

    /// The part without parentheses at its end: "Young Adult" for "Young Adult (Gr. 10-12)".
    private static func withoutBracket(_ part: Substring) -> Substring {
        guard part.utf8.last == UInt8(ascii: ")"), let open = part.utf8.firstIndex(of: UInt8(ascii: "(")),
            open != part.startIndex
        else { return part }
        return part[..<open]
    }

    /// Whether a subject is a tag for bookkeeping: `nyt:hardcover-fiction=2011-05-01`, `award:…`.
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
    /// The text with single spaces between words, and without periods and commas at its end.
    fileprivate var trimmed: String {
        var text = singleSpaced
        while text.hasSuffix(".") || text.hasSuffix(",") { text.removeLast() }
        return text
    }
}

/// Entries of subject lists that are not subjects of the book.
enum Bookkeeping {
    /// Folded phrases, such as those for availability at the Internet Archive, shop shelves, and remnants of split headings.
    private static let phrases: Set<String> = [
        "accessible book", "protected daisy", "in library", "lending library", "overdrive", "internet archive wishlist",
        "open library staff picks", "open syllabus project", "long now manual for civilization", "self service",
        "custom stores", "general", "etc",
    ]

    /// Minimum number of letters in a subject of one short ASCII word; with fewer, it is a class mark ("PQ").
    private static let minLetters = 3
    private static let maxMarkLength = 6

    /// - Parameter phrase: The subject as folded by `MatchKey.phrase`; not a genre.
    static func isBookkeeping(_ phrase: String) -> Bool {
        if phrase.hasPrefix("reading level grade") || phrases.contains(phrase) { return true }
        guard phrase.utf8.count <= maxMarkLength, phrase.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: " ") })
        else {
            return phrase.utf8.allSatisfy(\.isASCIIDigit)
        }
        return phrase.utf8.count { $0 >= UInt8(ascii: "a") } < minLetters
    }
}
