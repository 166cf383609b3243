import BookMetadata
import BookstrackContract

/// A provider's answer to a question, normalised; empty when the provider knows nothing that fits.
struct ProviderRecords: Hashable, Codable, Sendable {
    var editions: [EditionRecord] = []
    var works: [WorkRecord] = []
    /// Total results of a search.
    var total: Int?
    /// For a question about an author that Wikidata identifies beyond doubt.
    var background: AuthorBackground?

    /// Of a question about an author: how many works Open Library has by that person.
    var bookCount: Int?

    /// The provider really answered "none".
    static let none = ProviderRecords()

    var isEmpty: Bool { editions.isEmpty && works.isEmpty && background == nil && bookCount == nil }

    /// The same with the time of the answer, seconds since 1970, where the contract asks for it.
    func retrieved(at seconds: Int64) -> ProviderRecords {
        var records = self
        for place in records.editions.indices where records.editions[place].provider == .isbndb {
            records.editions[place].retrievedAt = seconds
        }
        return records
    }
}
