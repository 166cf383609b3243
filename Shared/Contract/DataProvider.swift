/// Source of a fact (metadata.md "Books"). A metadata provider has the same raw value here and in enrichment-worker's
/// `ProviderName`.
public enum DataProvider: String, Codable, Sendable, CaseIterable, Comparable {
    case googleBooks = "google-books"
    case openLibrary = "openlibrary"
    case isbndb
    case gemini

    /// Order of preference if several providers have a value for a field: Open Library, Google Books, ISBNdb, Gemini (metadata.md "Merging").
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.preference < rhs.preference }

    private var preference: Int {
        switch self {
        case .openLibrary: 0
        case .googleBooks: 1
        case .isbndb: 2
        case .gemini: 3
        }
    }
}
