import BookstrackContract

/// A provider's answer to a question, normalised; empty if the provider has no match.
package struct ProviderRecords: Hashable, Codable, Sendable {
    package var editions: [EditionRecord] = []
    package var works: [WorkRecord] = []
    /// Total results of a search.
    package var total: Int?
    /// For a question about an author that Wikidata identifies unambiguously.
    package var background: AuthorBackground?
    /// For a question about an author: the number of works that Open Library has by that person.
    package var bookCount: Int?

    package init(
        editions: [EditionRecord] = [], works: [WorkRecord] = [], total: Int? = nil,
        background: AuthorBackground? = nil, bookCount: Int? = nil
    ) {
        self.editions = editions
        self.works = works
        self.total = total
        self.background = background
        self.bookCount = bookCount
    }

    /// The provider answered "none".
    package static let none = ProviderRecords()

    package var isEmpty: Bool { editions.isEmpty && works.isEmpty && background == nil && bookCount == nil }

    /// The same with the time of the answer, seconds since 1970, in the records for which the contract requires it.
    package func retrieved(at seconds: Int64) -> ProviderRecords {
        var records = self
        for place in records.editions.indices where records.editions[place].provider == .isbndb {
            records.editions[place].retrievedAt = seconds
        }
        return records
    }
}
