package import BookIdentifiers

/// Makes the answers of the searches from what the providers said (contract §5.4, §6.1; spec/04 "Search and enrichment").
package enum SearchAssembly {
    /// The book with this number: one work and its edition, merged per field; `.none` when no record states the number.
    package static func byISBN(
        _ isbn: ISBN, openLibrary: [EditionRecord] = [], works: [WorkRecord] = [], googleBooks: [EditionRecord] = [],
        isbndb: [EditionRecord] = []
    ) -> BookHits {
        let editions = openLibrary + works.compactMap(\.bestEdition) + googleBooks + isbndb
        guard let book = MetadataMerge.merge(asked: isbn, editions: editions, works: works) else { return .none }
        return BookHits(books: [book], furtherEditions: [], total: 1)
    }

    /// The books that answer a title, a title and author, or free text that may name both, best first.
    ///
    /// Books that answer the question surely come first, doubtful ones after them, and of equals those that their provider
    /// ranks higher. Open Library also finds books by translated titles and is believed; what other providers add has to have
    /// something to do with the words.
    ///
    /// - Parameters:
    ///   - title: Empty for a search by author alone.
    ///   - limit: Most works of the answer.
    package static func byText(
        title: String, author: String? = nil, openLibrary: WorkPage = .none, googleBooks: EditionPage = .none,
        isbndb: [EditionRecord] = [], limit: Int
    ) -> BookHits {
        let question = SearchQuestion(title: title, author: author)
        let found = FoundBooks(works: openLibrary.works, editionLists: [googleBooks.editions, isbndb])
        let ranked = found.books.enumerated()
            .map { RankedBook($0.element, score: $0.element.score(for: question), order: $0.offset) }
            .filter { !$0.book.works.isEmpty || $0.score >= TitleMatch.nearMiss }
            .sorted { $0.rank < $1.rank }
        var hits = BookHits(books: [], furtherEditions: [], total: max(openLibrary.total, googleBooks.total))
        for book in ranked where hits.books.count < limit { hits.add(book) }
        return hits
    }
}
