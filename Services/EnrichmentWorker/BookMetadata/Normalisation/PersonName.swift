/// Which strings in author fields are names at all.
package enum PersonName {
    /// Longest name kept, in characters.
    private static let longestName = 200

    /// Entries that catalogues use when they know nobody (spec/04: "Unknown" authors are not authors).
    private static let pseudonymsOfNobody: Set<String> = [
        "", "unknown", "unknown author", "author unknown", "various", "various authors", "various artists", "anonymous",
        "anon", "n a", "none", "not available", "no author", "et al", "multiple authors", "diverse", "aa vv",
        "aavv", "collectif", "vv aa", "unbekannt", "inconnu", "desconocido", "неизвестен", "неизвестный автор",
    ]

    /// The name with single spaces; `nil` for an empty or pseudo author.
    package static func clean(_ name: String) -> String? {
        let cleaned = name[...].singleSpaced.cut(to: longestName)
        return pseudonymsOfNobody.contains(MatchKey.phrase(cleaned)) ? nil : cleaned
    }
}
