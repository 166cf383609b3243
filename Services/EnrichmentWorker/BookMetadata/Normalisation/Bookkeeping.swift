/// Entries of subject lists that say something about a copy or a shop, not about the book.
enum Bookkeeping {
    /// Folded: availability at the Internet Archive, shelves of shops, and what remains of a split heading.
    private static let phrases: Set<String> = [
        "accessible book", "protected daisy", "in library", "lending library", "overdrive", "internet archive wishlist",
        "open library staff picks", "open syllabus project", "long now manual for civilization", "self service",
        "custom stores", "general", "etc",
    ]

    /// Fewest letters of a word in Latin script that is a subject; shorter ones are class marks ("PQ").
    private static let fewestLetters = 3
    private static let longestMark = 6

    /// - Parameter phrase: The subject as `MatchKey.phrase` folds it; no genre.
    static func isBookkeeping(_ phrase: String) -> Bool {
        if phrase.hasPrefix("reading level grade") || phrases.contains(phrase) { return true }
        guard phrase.utf8.count <= longestMark, phrase.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: " ") }) else {
            return phrase.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return phrase.utf8.count { $0 >= UInt8(ascii: "a") } < fewestLetters
    }
}
