/// An author as a provider credits them.
package struct AuthorCredit: Hashable, Codable, Sendable {
    /// The name as given, in the provider's order of words.
    package var name: String
    /// Open Library author key without its path, for example `OL26320A`.
    package var openLibraryKey: String?

    /// `nil` when the name is empty or a placeholder.
    init?(name: String, openLibraryKey: String? = nil) {
        guard let name = PersonName.clean(name) else { return nil }
        self.name = name
        self.openLibraryKey = openLibraryKey
    }

    /// Each person once, in the order of first mention.
    static func unique(_ credits: some Sequence<AuthorCredit>) -> [AuthorCredit] {
        var seen: Set<String> = []
        return credits.filter { seen.insert(MatchKey.phrase($0.name)).inserted }
    }
}
