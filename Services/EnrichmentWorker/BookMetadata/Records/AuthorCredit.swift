/// An author as credited by a provider.
package struct AuthorCredit: Hashable, Codable, Sendable {
    /// The name as given, in the provider's word order.
    package var name: String
    /// Open Library author key without its path, for example `OL26320A`.
    package var openLibraryKey: String?

    /// Cleans the name; `nil` for a placeholder, or if the name has no letters or digits.
    package init?(name: String, openLibraryKey: String? = nil) {
        guard let name = PersonName.clean(name) else { return nil }
        self.name = name
        self.openLibraryKey = openLibraryKey
    }

    /// Each person once, in order of first appearance.
    static func unique(_ credits: some Sequence<AuthorCredit>) -> [AuthorCredit] {
        var seen: Set<String> = []
        return credits.filter { seen.insert(MatchKey.phrase($0.name)).inserted }
    }
}

/// Decides which strings in author fields are names.
package enum PersonName {
    /// Maximum length of a name in characters.
    private static let maxNameLength = 200

    /// Entries that catalogs use in place of an author's name, as folded by `MatchKey.phrase` (metadata.md "Books").
    private static let placeholders: Set<String> = [
        "", "unknown", "unknown author", "author unknown", "various", "various authors", "various artists", "anonymous",
        "anon", "n a", "none", "not available", "no author", "et al", "multiple authors", "diverse", "aa vv",
        "aavv", "collectif", "vv aa", "unbekannt", "inconnu", "desconocido", "неизвестен", "неизвестныи автор",
    ]

    /// The name with single spaces, cut to the maximum length; `nil` for a placeholder, or for a string without letters or digits.
    package static func clean(_ name: String) -> String? {
        let cleaned = name[...].singleSpaced.cut(to: maxNameLength)
        return placeholders.contains(MatchKey.phrase(cleaned)) ? nil : cleaned
    }

    /// The name without a generational suffix or "ca." after a comma in its middle: "Walter M., Jr. Miller" becomes "Walter M. Miller".
    static func withoutInfix(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: ",")) else { return name }
        for infix in [", Jr. ", ", Jr ", ", Sr. ", ", Sr ", ", ca. "] {
            if let range = name[...].firstOccurrence(of: infix) {
                return name[..<range.lowerBound] + " " + name[range.upperBound...]
            }
        }
        return name
    }

    /// Folded honorifics, used before a name.
    private static let honorifics: Set<String> = [
        "dr", "prof", "professor", "sir", "dame", "lord", "lady", "rev", "mrs", "mr", "ms", "graf", "count",
    ]
    /// Folded generational suffixes, degrees and roles, used after a name.
    private static let suffixes: Set<String> = [
        "jr", "sr", "ii", "iii", "iv", "phd", "ph d", "md", "m d", "esq", "obe", "cbe", "author", "editor",
        "translator", "illustrator", "narrator",
    ]

    /// The words of a name, or of one of its parts between commas, without the words that only some catalogs add: years, honorifics, generational
    /// suffixes, degrees and roles. "Lord" and "Graf" are also family names, so at least one word of the first part is kept.
    static func bare(_ part: some StringProtocol, isFirst: Bool) -> [Substring] {
        let words = Substring(part).split(whereSeparator: \.isWhitespace).filter { word in
            let key = MatchKey.phrase(String(word))
            return !key.isEmpty && !key.contains { $0.isASCII && $0.isNumber }
        }
        var bare = words[...]
        let fewest = isFirst ? 1 : 0
        while bare.count > fewest, let word = bare.first, honorifics.contains(MatchKey.phrase(String(word))) {
            bare = bare.dropFirst()
        }
        while bare.count > fewest, let word = bare.last, suffixes.contains(MatchKey.phrase(String(word))) {
            bare = bare.dropLast()
        }
        return Array(bare)
    }
}
