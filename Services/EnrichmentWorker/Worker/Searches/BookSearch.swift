import BookIdentifiers
import BookMetadata
import BookstrackContract
import ProviderHTTP
import SuiteMethods

/// One search: asks the providers at once, and gathers what they said (http-api.md "Searches").
struct BookSearch: Sendable {
    let desk: ProviderDesk
    let asker: Asker
    let deadline: MonotonicInstant
    /// Whether ISBNdb is configured.
    let hasISBNdb: Bool

    /// A record this complete leaves no gap for ISBNdb to fill.
    private static let completeQuality = 80
    /// Works of an author that are put in order together.
    private static let windows = [100, 300, 1_000]
    /// Works that are looked through for the one whose editions are asked for.
    private static let worksForEditions = 5

    /// The book with this number.
    func book(_ isbn: ISBN) async throws(SearchFailure) -> SearchFindings<BookHits> {
        async let edition = part(.edition(isbn))
        async let facts = part(.workFacts(isbn))
        async let volumes = part(.volumes(isbn))
        var parts = SearchParts(await [edition, facts, volumes])
        var results = assembled(isbn, parts)
        if hasISBNdb, (results.books.first?.work.isbndbQuality ?? 0) < Self.completeQuality {
            parts.add(await part(.isbndbBook(isbn)))
            results = assembled(isbn, parts)
        }
        return try parts.findings(results, provider: results.books.first?.work.primaryProvider)
    }

    /// Books that answer words, or a title and an author.
    func books(_ query: SearchQuery) async throws(SearchFailure) -> SearchFindings<BookHits> {
        let question = SearchQuestion(query)
        async let works = part(.workSearch(question))
        async let volumes = part(.volumeSearch(question))
        var parts = SearchParts(await [works, volumes])
        var results = assembled(query, parts)
        if hasISBNdb, results.books.isEmpty {
            parts.add(await part(.isbndbSearch(question)))
            results = assembled(query, parts)
        }
        return try parts.findings(results, provider: results.books.first?.work.primaryProvider)
    }

    /// An author's works. Every part of the list is cut from the same works of all providers, so that order and offset hold for all of them
    /// together; beyond the largest window it is Open Library's list alone.
    func works(of query: SearchQuery) async throws(SearchFailure) -> SearchFindings<BookHits> {
        let author = query.author ?? ""
        let order = query.order.map(AuthorWorksOrder.init)
        guard let window = Self.windows.first(where: { $0 >= query.offset + query.limit }) else {
            let question = SearchQuestion(
                .worksOf(author: author, offset: query.offset, order: order), limit: SearchQuestion.size(query.limit))
            let parts = SearchParts([await part(.workSearch(question))])
            let results = assembled(author, query, order, offset: 0, parts)
            return try parts.findings(results, provider: results.books.first?.work.primaryProvider)
        }
        let ofAll = SearchQuestion(.worksOf(author: author, offset: 0, order: order), limit: window)
        let most = SearchQuestion(
            .worksOf(author: author, offset: 0, order: nil), limit: GoogleBooksRequests.mostResults)
        async let works = part(.workSearch(ofAll))
        async let volumes = part(.volumeSearch(most))
        let parts = SearchParts(await [works, volumes])
        let results = assembled(author, query, order, offset: query.offset, parts)
        return try parts.findings(results, provider: results.books.first?.work.primaryProvider)
    }

    /// The editions of a work.
    func editions(_ query: SearchQuery) async throws(SearchFailure) -> SearchFindings<EditionResults> {
        let title = query.title ?? ""
        let question = SearchQuestion(.fields(title: title, author: query.author), limit: Self.worksForEditions)
        let volumeQuestion = SearchQuestion(
            .fields(title: title, author: query.author), limit: GoogleBooksRequests.mostResults)
        async let works = editionsOfWork(question, BookQuery(title: title, author: query.author))
        async let volumes = part(.volumeSearch(volumeQuestion))
        async let isbndb = hasISBNdb ? [part(.isbndbSearch(volumeQuestion))] : []
        let parts = SearchParts(await works + [volumes] + isbndb)
        let results = SearchAssembly.editions(
            title: title, author: query.author, openLibrary: parts.editionPage(of: .openLibrary),
            googleBooks: parts.editions(of: .googleBooks), isbndb: parts.editions(of: .isbndb), limit: query.limit)
        return try parts.findings(results, provider: results.editions.first?.primaryProvider)
    }

    /// The work that is meant, and then its editions.
    private func editionsOfWork(_ question: SearchQuestion, _ query: BookQuery) async -> [SearchPart] {
        var found = await part(.workSearch(question))
        let candidates = found.records.works.map { BookCandidate.work($0) }
        guard case .work(let work) = TitleMatch.best(for: query, among: candidates).match else {
            found.dropRecords()
            return [found]
        }
        found.dropRecords()
        return [found, await part(.editionsOfWork(work.key))]
    }

    private func part(_ question: Question) async -> SearchPart {
        await SearchPart(question, of: desk, for: asker, by: deadline)
    }

    private func assembled(_ isbn: ISBN, _ parts: SearchParts) -> BookHits {
        SearchAssembly.byISBN(
            isbn, openLibrary: parts.editions(of: .openLibrary), works: parts.works,
            googleBooks: parts.editions(of: .googleBooks), isbndb: parts.editions(of: .isbndb))
    }

    private func assembled(
        _ author: String, _ query: SearchQuery, _ order: AuthorWorksOrder?, offset: Int, _ parts: SearchParts
    ) -> BookHits {
        SearchAssembly.byAuthor(
            author, openLibrary: parts.workPage, googleBooks: parts.editionPage(of: .googleBooks), order: order,
            offset: offset, limit: query.limit)
    }

    private func assembled(_ query: SearchQuery, _ parts: SearchParts) -> BookHits {
        SearchAssembly.byText(
            title: query.title ?? "", author: query.author, openLibrary: parts.workPage,
            googleBooks: parts.editionPage(of: .googleBooks), isbndb: parts.editions(of: .isbndb), limit: query.limit,
            isExplained: query.isExplained == true)
    }
}

extension SearchQuestion {
    /// Results that a provider is asked for, so that different limits share an answer.
    private static let sizes = [20, 40, 100]

    fileprivate static func size(_ limit: Int) -> Int { sizes.first { $0 >= limit } ?? limit }

    fileprivate init(_ query: SearchQuery) {
        let limit = Self.size(query.limit)
        switch query.kind {
        case .title, .isbn: self.init(.words(query.title ?? ""), limit: limit)
        case .advanced, .editions, .author:
            self.init(.fields(title: query.title, author: query.author), limit: limit)
        }
    }
}

extension AuthorWorksOrder {
    fileprivate init(_ order: SearchQuery.Order) {
        self =
            switch order {
            case .newest: .newest
            case .oldest: .oldest
            case .title: .title
            case .popularity: .popularity
            }
    }
}

extension MatchVerdict {
    fileprivate var match: BookCandidate? {
        switch self {
        case .verified(let best, _), .needsReview(let best, _): best.candidate
        case .notFound: nil
        }
    }
}
