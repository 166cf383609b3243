package import BookstrackContract

/// The books that a search found, best first.
package struct BookHits: Sendable, Equatable {
    /// Each with its edition and its authors.
    package var books: [EnrichedMetadata]
    /// Editions of the same works beyond the first.
    package var furtherEditions: [EditionDTO]
    /// How many books were found, and how many more the provider has that holds back most.
    package var total: Int
    /// Why each of `books` stands where it does, for a search that asks for it.
    package var matching: MatchReport?

    /// Nothing found.
    package static let none = BookHits(books: [], furtherEditions: [], total: 0)

    /// The answer in the contract's shape.
    package var results: SearchResults {
        var authors = AuthorList()
        for book in books { authors.add(book.authors) }
        return SearchResults(
            works: books.map(\.work), editions: books.compactMap(\.edition) + furtherEditions, authors: authors.authors,
            totalResults: total, matching: matching)
    }

    /// The answer in the shape of the deprecated searches.
    ///
    /// - Parameter isBibliography: Whether the books are an author's works, which are dated by their first publication.
    package func volumes(isBibliography: Bool) -> VolumeList {
        VolumeList(
            items: books.map { Volume($0, isDatedByWork: isBibliography) }, totalItems: max(total, books.count))
    }
}
