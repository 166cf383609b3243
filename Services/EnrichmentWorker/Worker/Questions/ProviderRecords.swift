import BookMetadata

/// A provider's answer to a question, normalised; empty when the provider knows nothing that fits.
struct ProviderRecords: Hashable, Codable, Sendable {
    var editions: [EditionRecord] = []
    var works: [WorkRecord] = []
    /// How many results there are in all, of a search.
    var total: Int?
    /// Of a question about an author whom Wikidata knows beyond doubt.
    var background: AuthorBackground?

    /// The provider really answered "none".
    static let none = ProviderRecords()

    var isEmpty: Bool { editions.isEmpty && works.isEmpty && background == nil }
}
