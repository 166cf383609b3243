import BookstrackContract

/// A provider's normalized answer to a question; empty if the provider has no match.
package struct ProviderRecords: Hashable, Codable, Sendable {
    package var editions: [EditionRecord] = []
    package var works: [WorkRecord] = []
    /// Total reported for a search or a list, of which the records may be only a part.
    package var total: Int?
    /// For a question about an author: the facts, if Wikidata identifies the author unambiguously.
    package var background: AuthorBackground?
    /// For a question about an author: the number of works by that person in Open Library.
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

    /// The answer "none".
    package static let none = ProviderRecords()

    /// Whether the provider's answer is "none".
    package var isEmpty: Bool { editions.isEmpty && works.isEmpty && background == nil && bookCount == nil }

    /// Whether the provider has more search results than these.
    package var isPart: Bool { total.map { $0 > works.count + editions.count } ?? false }

    /// The same records with the time of the answer, in seconds since 1970, added to ISBNdb's editions (metadata.md "Mapping": `lastISBNDBSync`).
    package func retrieved(at seconds: Int64) -> ProviderRecords {
        var records = self
        for place in records.editions.indices where records.editions[place].provider == .isbndb {
            records.editions[place].retrievedAt = seconds
        }
        return records
    }
}
