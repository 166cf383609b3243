package import BookIdentifiers
package import BookstrackContract

/// Makes the answers of the searches from what the providers said (http-api.md "Searches").
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
    ///   - isExplained: Whether the answer says why each work stands where it does.
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

    /// The works of an author as one list of all providers, and of it the part that is asked for.
    ///
    /// - Parameters:
    ///   - openLibrary: The author's works from the first on, in `order`.
    ///   - order: Works without the year that they are sorted by come last, and so do those without a reader count. By how well they
    ///     answer unless given.
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
            case .newest: (-(one.year ?? .min + 1), first.offset) < (-(other.year ?? .min + 1), second.offset)
            case .oldest: (one.year ?? .max, first.offset) < (other.year ?? .max, second.offset)
            case .title: (one.title, first.offset) < (other.title, second.offset)
            case .popularity: (one.readers, first.offset) < (other.readers, second.offset)
            }
        }
        return BookHits(
            books: sorted.dropFirst(offset).prefix(limit).map(\.element.book), furtherEditions: [],
            total: books.count + openLibrary.totalBeyond)
    }

    private static func ranked(_ found: FoundBooks, for question: SearchQuestion) -> [RankedBook] {
        found.books.enumerated()
            .map { RankedBook($0.element, score: $0.element.score(for: question), order: $0.offset) }
            .filter { !$0.book.works.isEmpty || $0.score >= TitleMatch.nearMiss }
            .sorted { $0.rank < $1.rank }
    }

    /// A book and what it can be sorted by.
    private struct ListedBook {
        let book: EnrichedMetadata
        let ranked: RankedBook

        /// As a bibliography shows it (``Volume``).
        var year: Int? {
            book.work.firstPublicationYear ?? book.edition?.publicationDate.flatMap { Int($0.prefix(4)) }
        }
        var title: String { MatchKey.phrase(book.work.title) }
        /// Its place among the works that Open Library has counted readers of.
        var readers: Int { ranked.book.works.isEmpty ? .max : ranked.book.position }
    }
}

extension SearchAssembly {
    /// The editions of one work, most complete first and of equals the newest first.
    ///
    /// Title and author decide what belongs to the work. Open Library's editions name their authors by key only and may be
    /// translations; they belong to it when one of its editions agrees and they are of the same work.
    ///
    /// - Parameter limit: Most editions of the answer.
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

    /// Whether one edition comes before another; `nil` for equals.
    private static func order(_ one: EditionDTO, _ other: EditionDTO) -> Bool? {
        if one.isbndbQuality != other.isbndbQuality { return one.isbndbQuality > other.isbndbQuality }
        let (ours, theirs) = (one.publicationDate ?? "", other.publicationDate ?? "")
        return ours == theirs ? nil : ours > theirs
    }
}
