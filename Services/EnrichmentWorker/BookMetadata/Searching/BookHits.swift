package import BookstrackContract

/// The books found by a search, best match first.
package struct BookHits: Sendable, Equatable {
    /// The books, each with its edition and its authors.
    package var books: [EnrichedMetadata]
    /// Further editions of the same works.
    package var furtherEditions: [EditionDTO]
    /// Estimated number of matching books, including those that providers have but did not return.
    package var total: Int
    /// Why each of `books` has its rank, if the search requests this.
    package var matching: MatchReport?

    /// No results.
    package static let none = BookHits(books: [], furtherEditions: [], total: 0)

    /// The editions in the order of the response: those of `books`, then further ones.
    package var editions: [EditionDTO] { books.compactMap(\.edition) + furtherEditions }

    /// The response in the contract's format.
    package var results: SearchResults {
        var authors = AuthorList()
        for book in books { authors.add(book.authors) }
        return SearchResults(
            works: books.map(\.work), editions: editions, authors: authors.authors, totalResults: total,
            matching: matching)
    }

    /// The response in the format of the deprecated searches.
    ///
    /// - Parameter isBibliography: Whether the books are the works of one author; these are dated by first publication.
    package func volumes(isBibliography: Bool) -> VolumeList {
        VolumeList(
            items: books.map { Volume($0, isDatedByWork: isBibliography) }, totalItems: max(total, books.count))
    }
}

extension BookHits {
    /// Adds a book and its editions, such that `editions[i]` belongs to `works[i]` (http-api.md "Searches"); a book without a title is skipped.
    ///
    /// - Parameter question: The search, if the response must explain the book's rank.
    mutating func add(_ ranked: RankedBook, explainedFor question: SearchQuestion? = nil) {
        let groups = ranked.book.editionGroups
        guard let first = groups.first, let primary = ranked.book.primary else { return }
        let others = groups.dropFirst()
        let merge = BookMerge(
            asked: nil, editions: first, works: ranked.book.works, otherEditions: Array(others.joined()),
            primary: primary)
        guard let book = merge.merged(ranked.reviewStatus)?.book, book.edition != nil else { return }
        books.append(book)
        if let question { matching?.works.append(ranked.match(for: question)) }
        furtherEditions += others.map { EditionMerge(records: $0, primary: primary).edition() }
    }
}

/// Authors of several works, without duplicates, in order of first appearance (http-api.md "Searches").
struct AuthorList {
    private(set) var authors: [AuthorDTO] = []
    private var indexByName: [String: Int] = [:]

    /// Adds authors. Names that differ only in case, accents or punctuation belong to the same author, who keeps the first Open Library key.
    mutating func add(_ added: [AuthorDTO]) {
        for author in added {
            let name = MatchKey.phrase(author.name)
            if let index = indexByName[name] {
                if authors[index].openLibraryID == nil { authors[index].openLibraryID = author.openLibraryID }
            } else {
                indexByName[name] = authors.count
                authors.append(author)
            }
        }
    }
}

extension Volume {
    init(_ book: EnrichedMetadata, isDatedByWork: Bool) {
        let (work, edition) = (book.work, book.edition)
        var info = VolumeInfo(title: work.title)
        info.authors = book.authors.isEmpty ? nil : book.authors.map(\.name)
        info.publisher = edition?.publisher
        let ofWork = work.firstPublicationYear.map { String($0) }
        info.publishedDate = isDatedByWork ? ofWork ?? edition?.publicationDate : edition?.publicationDate ?? ofWork
        info.description = work.description ?? edition?.editionDescription
        info.industryIdentifiers = Self.identifiers(edition?.isbns ?? [])
        info.pageCount = edition?.pageCount
        info.categories = work.subjectTags.isEmpty ? nil : work.subjectTags
        info.imageLinks = (edition?.coverImageURL ?? work.coverImageURL).map(VolumeInfo.ImageLinks.init)
        info.language = edition?.language ?? work.originalLanguage
        let id =
            edition?.googleBooksVolumeID ?? work.googleBooksVolumeID ?? edition?.openLibraryID ?? work.openLibraryID
        self.init(id: id ?? edition?.isbn ?? work.title, volumeInfo: info)
    }

    private static func identifiers(_ isbns: [String]) -> [VolumeInfo.Identifier]? {
        guard !isbns.isEmpty else { return nil }
        return isbns.map { .init(type: $0.count == 13 ? "ISBN_13" : "ISBN_10", identifier: $0) }
    }
}
