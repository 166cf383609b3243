package import BookstrackContract

/// The books that a search found, best first.
package struct BookHits: Sendable, Equatable {
    /// Each with its edition and its authors.
    package var books: [EnrichedMetadata]
    /// Editions of the same works beyond the first.
    package var furtherEditions: [EditionDTO]
    /// How many results the provider that knows most says there are.
    package var total: Int

    /// Nothing found.
    package static let none = BookHits(books: [], furtherEditions: [], total: 0)

    /// The answer in the contract's shape.
    package var results: SearchResults {
        var authors = AuthorList()
        for book in books { authors.add(book.authors) }
        return SearchResults(
            works: books.map(\.work), editions: books.compactMap(\.edition) + furtherEditions, authors: authors.authors,
            totalResults: total)
    }

    /// The answer in the shape of the deprecated searches.
    package var volumes: VolumeList {
        VolumeList(items: books.map(Volume.init), totalItems: max(total, books.count))
    }
}
