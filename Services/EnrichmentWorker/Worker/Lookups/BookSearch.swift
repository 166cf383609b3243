import BookIdentifiers
import BookMetadata
import BookstrackContract
import ProviderClient
import SuiteMethods

/// One search: queries the providers concurrently and merges their answers (http-api.md "Searches").
struct BookSearch: Sendable {
    let scheduler: QuestionScheduler
    let asker: Asker
    let deadline: MonotonicInstant

    /// Minimum quality at which a record counts as complete, so that ISBNdb is not queried for it.
    private static let completeQuality = 80
    /// Number of an author's works requested together, at least as many as in the largest page.
    private static let blockSize = 100
    /// Number of works requested to find the one whose editions are wanted.
    private static let worksForEditions = 5

    /// The book with this ISBN.
    func book(_ isbn: ISBN) async throws(SearchFailure) -> SearchFindings<BookHits> {
        async let edition = part(.edition(isbn))
        async let facts = part(.workFacts(isbn))
        async let volumes = part(.volumes(isbn))
        var parts = SearchParts(await [edition, facts, volumes])
        var results = assembled(isbn, parts)
        if scheduler.hasISBNdb, (results.books.first?.work.isbndbQuality ?? 0) < Self.completeQuality {
            parts.add(await part(.isbndbBook(isbn)))
            results = assembled(isbn, parts)
        }
        return try parts.findings(results, provider: results.books.first?.work.primaryProvider)
    }

    /// Books that match words, or a title, an author or both.
    func books(_ query: SearchQuery) async throws(SearchFailure) -> SearchFindings<BookHits> {
        let question = SearchTerms(query)
        async let works = parts(question, about: query, Question.workSearch)
        async let volumes = parts(question, about: query, Question.volumeSearch)
        var parts = SearchParts(await works + volumes)
        var results = assembled(query, parts)
        if scheduler.hasISBNdb, results.books.isEmpty {
            for part in await self.parts(question, about: query, Question.isbndbSearch) { parts.add(part) }
            results = assembled(query, parts)
        }
        return try parts.findings(results, provider: results.books.first?.work.primaryProvider)
    }

    /// An author's works. Open Library's list is fetched in blocks, each of which serves several pages. If the list fits into one block, order and
    /// offset apply to the list that is combined from Open Library and Google Books; otherwise, they apply to Open Library's list.
    func works(of query: SearchQuery) async throws(SearchFailure) -> SearchFindings<BookHits> {
        let author = query.author ?? ""
        let most = SearchTerms(
            .worksOf(author: author, offset: 0, order: nil), limit: GoogleBooksRequests.maxResults)
        async let volumes = part(.volumeSearch(most))
        let (blocks, start) = await worksOfAuthor(query)
        let parts = SearchParts(blocks + [await volumes])
        let (works, editions) = (parts.workPage, parts.editionPage(of: .googleBooks))
        let results: BookHits
        if works.total > Self.blockSize {
            let places = query.offset..<query.offset + query.limit
            // Places are counted from the start of each block, because a block with an unreadable record has fewer works than places.
            let asked = zip(stride(from: start, to: places.upperBound, by: Self.blockSize), blocks)
                .flatMap { first, block in
                    zip(first..., block.records.works).filter { places.contains($0.0) }.map(\.1)
                }
            results = SearchAssembly.part(
                ofWorksBy: author, openLibrary: WorkPage(total: works.total, works: asked), googleBooks: editions)
        } else {
            results = SearchAssembly.byAuthor(
                author, openLibrary: works, googleBooks: editions, order: query.order.map(AuthorWorksOrder.init),
                offset: query.offset, limit: query.limit)
        }
        return try parts.findings(results, provider: results.books.first?.work.primaryProvider)
    }

    /// The blocks of Open Library's list that contain the requested works, and the first block's position. A list that fits into one block is
    /// returned in full.
    private func worksOfAuthor(_ query: SearchQuery) async -> (blocks: [SearchPart], start: Int) {
        func block(_ start: Int) async -> SearchPart {
            let order = query.order.map(AuthorWorksOrder.init)
            let text = SearchTerms.Text.worksOf(author: query.author ?? "", offset: start, order: order)
            return await part(.workSearch(SearchTerms(text, limit: Self.blockSize)))
        }
        let start = query.offset / Self.blockSize * Self.blockSize
        let (first, end) = (await block(start), start + Self.blockSize)
        let total = first.records.total ?? 0
        if start > 0, first.failure == nil, total <= Self.blockSize { return ([await block(0)], 0) }
        guard query.offset + query.limit > end, total > end else { return ([first], start) }
        return ([first, await block(end)], start)
    }

    /// The editions of a work.
    func editions(_ query: SearchQuery) async throws(SearchFailure) -> SearchFindings<EditionResults> {
        let title = query.title ?? ""
        let question = SearchTerms(.fields(title: title, author: query.author), limit: Self.worksForEditions)
        let volumeQuestion = SearchTerms(
            .fields(title: title, author: query.author), limit: GoogleBooksRequests.maxResults)
        async let works = editionsOfWork(question, about: query)
        async let volumes = parts(volumeQuestion, about: query, Question.volumeSearch)
        async let isbndb = scheduler.hasISBNdb ? parts(volumeQuestion, about: query, Question.isbndbSearch) : []
        let parts = SearchParts(await works + volumes + isbndb)
        let results = SearchAssembly.editions(
            title: title, author: query.author, openLibrary: parts.editionPage(of: .openLibrary),
            googleBooks: parts.editions(of: .googleBooks), isbndb: parts.editions(of: .isbndb), limit: query.limit)
        return try parts.findings(results, provider: results.editions.first?.primaryProvider)
    }

    /// The answers for the requested work and, if the work is found, the answer for its editions.
    private func editionsOfWork(_ question: SearchTerms, about query: SearchQuery) async -> [SearchPart] {
        var found = await parts(question, about: query, Question.workSearch)
        let match = query.best(among: found.flatMap(\.records.candidates)).match
        for index in found.indices { found[index].dropRecords() }
        guard case .work(let work) = match else { return found }
        return found + [await part(.editionsOfWork(work.key))]
    }

    /// A provider's answers to a search. A search by fields first omits the subtitle, because many records lack it. If the answer has no
    /// verified match and the provider has more books with the title than it returns, a second question includes the subtitle.
    private func parts(
        _ terms: SearchTerms, about query: SearchQuery, _ question: (SearchTerms) -> Question
    ) async -> [SearchPart] {
        let first = await part(question(terms))
        guard first.records.isPart, let whole = terms.withSubtitle,
            !query.best(among: first.records.candidates).isVerified
        else { return [first] }
        return [first, await part(question(whole))]
    }

    private func part(_ question: Question) async -> SearchPart {
        await SearchPart(question, of: scheduler, for: asker, by: deadline)
    }

    private func assembled(_ isbn: ISBN, _ parts: SearchParts) -> BookHits {
        SearchAssembly.byISBN(
            isbn, openLibrary: parts.editions(of: .openLibrary), works: parts.works,
            googleBooks: parts.editions(of: .googleBooks), isbndb: parts.editions(of: .isbndb))
    }

    private func assembled(_ query: SearchQuery, _ parts: SearchParts) -> BookHits {
        SearchAssembly.byText(
            title: query.title ?? "", author: query.author, openLibrary: parts.workPage,
            googleBooks: parts.editionPage(of: .googleBooks), isbndb: parts.editions(of: .isbndb), limit: query.limit,
            isExplained: query.isExplained == true)
    }
}

extension SearchTerms {
    /// Numbers of results requested from a provider: there are only a few sizes, so searches with different limits can share an answer.
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

extension SearchQuery {
    /// The verdict on the best of the candidates for the requested book.
    fileprivate func best(among candidates: [BookCandidate]) -> MatchVerdict {
        TitleMatch.best(for: BookQuery(title: title, author: author), among: candidates)
    }
}

extension MatchVerdict {
    fileprivate var match: BookCandidate? {
        switch self {
        case .verified(let best, _), .needsReview(let best): best.candidate
        case .notFound: nil
        }
    }
}

/// The providers' answers to one search.
struct SearchParts: Sendable {
    private var parts: [SearchPart]

    init(_ parts: [SearchPart]) { self.parts = parts }

    mutating func add(_ part: SearchPart) { parts.append(part) }

    /// The works in all answers; a work in several answers occurs once.
    var works: [WorkRecord] {
        var keys: Set<String> = []
        return parts.flatMap(\.records.works).filter { keys.insert($0.key).inserted }
    }

    /// The editions in a provider's answers; an edition in several answers occurs once.
    func editions(of provider: ProviderName) -> [EditionRecord] {
        var known: Set<EditionRecord> = []
        return parts.filter { $0.question.provider == provider }.flatMap(\.records.editions)
            .filter { known.insert($0).inserted }
    }

    var workPage: WorkPage {
        WorkPage(total: total(of: .openLibrary), works: works)
    }

    func editionPage(of provider: ProviderName) -> EditionPage {
        EditionPage(total: total(of: provider), editions: editions(of: provider))
    }

    /// The result with its metadata.
    ///
    /// - Throws: ``SearchFailure`` if no provider answered.
    func findings<Results: Sendable>(
        _ results: Results, provider: DataProvider?
    ) throws(SearchFailure) -> SearchFindings<Results> {
        let answers = parts.filter { $0.failure == nil }
        let failures = parts.compactMap(\.failure)
        guard !answers.isEmpty else { throw SearchFailure(failures: failures, reports: reports) }
        let failure = failures.isEmpty ? nil : SearchFailure(failures: failures, reports: reports)
        return SearchFindings(
            results: results, provider: provider,
            age: answers.compactMap(\.age).max().flatMap { age in
                answers.allSatisfy { $0.age != nil } ? age : nil
            },
            freshFor: failure == nil ? answers.map(\.freshFor).min() ?? .zero : .zero,
            isStale: answers.contains(where: \.isStale), failure: failure)
    }

    /// The outcome of each provider: its failure if one of its questions failed.
    private var reports: [ProviderReport] {
        ProviderName.allCases.compactMap { name in
            let asked = parts.filter { $0.question.provider == name }
            guard let provider = name.bookProvider, let longest = asked.map(\.duration).max() else { return nil }
            let failure = asked.lazy.compactMap(\.failure).first
            let found: ProviderReport.Outcome = asked.allSatisfy(\.records.isEmpty) ? .notFound : .ok
            return ProviderReport(
                provider: provider, outcome: failure?.outcome ?? found,
                durationMs: Int(longest / .milliseconds(1)))
        }
    }

    private func total(of provider: ProviderName) -> Int {
        parts.filter { $0.question.provider == provider }.compactMap(\.records.total).max() ?? 0
    }
}

/// A provider's answer to one question of a search.
struct SearchPart: Sendable {
    let question: Question
    /// The provider's records; empty after a failure.
    private(set) var records = ProviderRecords.none
    private(set) var failure: QuestionFailure?
    /// Time since the answer was received; nil if it has just been received, and after a failure.
    private(set) var age: Duration?
    /// Time until the answer expires; zero if it has expired, and after a failure.
    private(set) var freshFor = Duration.zero
    private(set) var duration = Duration.zero

    /// Whether the answer was cached and has expired.
    var isStale: Bool { age != nil && freshFor <= .zero }

    private init(_ question: Question) { self.question = question }

    /// Asks a question for a search.
    init(_ question: Question, of scheduler: QuestionScheduler, for asker: Asker, by deadline: MonotonicInstant) async {
        self.init(question)
        let start = scheduler.clock.now
        do throws(QuestionFailure) {
            let answer = try await scheduler.ask(question, for: asker, deadline: deadline)
            records = answer.records
            freshFor = scheduler.freshness(of: answer, to: question)
            if case .cached(let known) = answer { age = known.age }
        } catch {
            failure = error
        }
        duration = start.duration(to: scheduler.clock.now)
    }

    /// Drops the records of an answer that was needed only to ask the next question; they are not part of the result.
    mutating func dropRecords() { records = .none }
}
