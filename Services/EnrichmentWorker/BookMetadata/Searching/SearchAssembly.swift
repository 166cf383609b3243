package import BookIdentifiers
package import BookstrackContract

/// Assembles search results from the providers' records (http-api.md "Searches").
package enum SearchAssembly {
    /// The book with this ISBN: one work and its edition, merged field by field; `.none` if it is not found.
    package static func byISBN(
        _ isbn: ISBN, openLibrary: [EditionRecord] = [], works: [WorkRecord] = [], googleBooks: [EditionRecord] = [],
        isbndb: [EditionRecord] = []
    ) -> BookHits {
        let editions = openLibrary + works.compactMap(\.bestEdition) + googleBooks + isbndb
        guard let book = MetadataMerge.merged(asked: isbn, editions: editions, works: works)?.book else { return .none }
        return BookHits(books: [book], furtherEditions: [], total: 1)
    }

    /// The books that match a title, a title and author, or free text that may contain both, best match first.
    ///
    /// Verified matches come first, followed by those that need review and then others, each group in the providers' order. Open Library also finds
    /// books by translated titles, so all its results are accepted; a book that only other providers found must have a score of at least
    /// ``TitleMatch/nearMiss``.
    ///
    /// - Parameters:
    ///   - title: Empty for a search by author alone.
    ///   - limit: Maximum number of works in the result.
    ///   - isExplained: Whether the result explains the rank of each work.
    package static func byText(
        title: String, author: String? = nil, openLibrary: WorkPage = .none, googleBooks: EditionPage = .none,
        isbndb: [EditionRecord] = [], limit: Int, isExplained: Bool = false
    ) -> BookHits {
        let found = FoundBooks(works: openLibrary.works, editionLists: [googleBooks.editions, isbndb])
        let question = SearchQuestion(title: title, author: author)
        let ranked = ranked(found, for: question)
        let beyond = max(openLibrary.totalBeyond, googleBooks.totalBeyond)
        var hits = BookHits(books: [], furtherEditions: [], total: ranked.count + beyond)
        if isExplained {
            hits.matching = MatchReport(
                verifiedFrom: TitleMatch.verified, reviewFrom: TitleMatch.needsReview, works: [])
        }
        for book in ranked where hits.books.count < limit { hits.add(book, explainedFor: isExplained ? question : nil) }
        return hits
    }

    /// The requested part of a combined list of an author's works from Open Library and Google Books.
    ///
    /// - Parameters:
    ///   - openLibrary: The author's works from the first one on, in `order`.
    ///   - order: The sort order; if nil, the best match comes first. Works without the year or reader count used for sorting come last.
    package static func byAuthor(
        _ author: String, openLibrary: WorkPage, googleBooks: EditionPage, order: AuthorWorksOrder?, offset: Int,
        limit: Int
    ) -> BookHits {
        let found = FoundBooks(works: openLibrary.works, editionLists: [googleBooks.editions])
        let books = ranked(found, for: SearchQuestion(title: "", author: author)).compactMap { ranked in
            var one = BookHits.none
            one.add(ranked)
            return one.books.first.map { ListedBook(book: $0, ranked: ranked) }
        }
        let sorted = books.enumerated().sorted { first, second in
            let (one, other) = (first.element, second.element)
            return switch order {
            case nil: first.offset < second.offset
            case .newest: (other.year ?? .min, first.offset) < (one.year ?? .min, second.offset)
            case .oldest: (one.year ?? .max, first.offset) < (other.year ?? .max, second.offset)
            case .title: (one.title, first.offset) < (other.title, second.offset)
            case .popularity: (one.popularityRank, first.offset) < (other.popularityRank, second.offset)
            }
        }
        return BookHits(
            books: sorted.dropFirst(offset).prefix(limit).map(\.element.book), furtherEditions: [],
            total: books.count + openLibrary.totalBeyond)
    }

    /// A part of Open Library's own list of an author's works, in its order; each work is a book of its own.
    ///
    /// Google's volumes only add to these works. Volumes that belong to none of them are left out, because they may belong to works in other parts of
    /// the list.
    package static func part(
        ofWorksBy author: String, openLibrary: WorkPage, googleBooks: EditionPage
    ) -> BookHits {
        let question = SearchQuestion(title: "", author: author)
        let found = FoundBooks(works: openLibrary.works, editionLists: [googleBooks.editions], areDistinct: true)
        var hits = BookHits(books: [], furtherEditions: [], total: openLibrary.total)
        for book in found.books where !book.works.isEmpty {
            hits.add(RankedBook(book, score: book.score(for: question), order: book.position))
        }
        return hits
    }

    private static func ranked(_ found: FoundBooks, for question: SearchQuestion) -> [RankedBook] {
        found.books.enumerated()
            .map { RankedBook($0.element, score: $0.element.score(for: question), order: $0.offset) }
            .filter { !$0.book.works.isEmpty || $0.score >= TitleMatch.nearMiss }
            .sorted { $0.rank < $1.rank }
    }

    /// A book with its sort keys.
    private struct ListedBook {
        let book: EnrichedMetadata
        let ranked: RankedBook

        /// The year as shown in a bibliography (``Volume``).
        var year: Int? {
            book.work.firstPublicationYear ?? book.edition?.publicationDate.flatMap { Int($0.prefix(4)) }
        }
        var title: String { MatchKey.phrase(book.work.title) }
        /// The book's position among Open Library's works, which are sorted by number of readers.
        var popularityRank: Int { ranked.book.works.isEmpty ? .max : ranked.book.position }
    }
}

extension SearchAssembly {
    /// The editions of a work, most complete first; equally complete editions are sorted newest first.
    ///
    /// Editions belong to the work if their titles and authors match. Open Library's editions have only the keys of their authors and may be
    /// translations; they belong to the work if they have the same work key as a matching edition.
    ///
    /// - Parameter limit: Maximum number of editions in the result.
    package static func editions(
        title: String, author: String?, openLibrary: EditionPage = .none, googleBooks: [EditionRecord] = [],
        isbndb: [EditionRecord] = [], limit: Int
    ) -> EditionResults {
        let question = SearchQuestion(title: title, author: author)
        let workKeys = Set(
            openLibrary.editions.filter { question.score(BookForms(.edition($0))) >= TitleMatch.needsReview }.flatMap(
                \.workKeys))
        let ofWork = openLibrary.editions.filter { !workKeys.isDisjoint(with: $0.workKeys) }
        let others = (googleBooks + isbndb).filter { question.score(BookForms(.edition($0))) >= TitleMatch.verified }
        let editions = EditionGroups.grouping(ofWork + others).map { records in
            EditionMerge(records: records, primary: records[0].provider).edition()
        }
        let sorted = editions.enumerated().sorted { first, second in
            order(first.element, second.element) ?? (first.offset < second.offset)
        }.map(\.element)
        let total = ofWork.isEmpty ? 0 : openLibrary.total
        return EditionResults(editions: Array(sorted.prefix(limit)), totalResults: max(total, editions.count))
    }

    /// Whether one edition comes before the other; `nil` if neither does.
    private static func order(_ one: EditionDTO, _ other: EditionDTO) -> Bool? {
        if one.isbndbQuality != other.isbndbQuality { return one.isbndbQuality > other.isbndbQuality }
        let (ours, theirs) = (one.publicationDate ?? "", other.publicationDate ?? "")
        return ours == theirs ? nil : ours > theirs
    }
}
