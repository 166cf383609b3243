import BookMetadata
import BookstrackContract
import SuiteMethods

/// Looks up a book by its title, or by the words on its spine (metadata.md "Lookup", scans.md "Books").
struct TitleLookup: Sendable {
    /// Maximum expected wait for ISBNdb, which accepts one title per request; if the expected wait is longer, titles are looked up without ISBNdb.
    private static let maxExpectedISBNdbWait = Duration.seconds(20)
    private static let isbndbLimit = 20

    let lookup: ItemLookup

    /// The book with this title, if a provider's candidate matches the question. Providers are queried in this order until the candidates suffice:
    ///
    /// 1. Until a match is verified: Open Library, then Google Books; then, with the words of the subtitle, each of the two that has more results
    ///    than it returned.
    /// 2. Until a candidate may be the book: both without the volume number, then both without the author, because they require every word to match;
    ///    then ISBNdb, if it may be queried (``QuestionScheduler/mayFillGaps(with:for:)``) and its queue is short, also with the subtitle if it has
    ///    more results than it returned.
    func result(for terms: TitleTerms) async throws(QuestionFailure) -> LookupResult {
        let query = BookQuery(title: terms.title, author: terms.author)
        let isbndb = questionToISBNdb(terms)
        var search = CandidateSearch { TitleMatch.best(for: query, among: $0) }
        try await ask(Self.questions(terms), until: \.isVerified, &search)
        if search.answers.count == 1 {
            // Google Books may have been asked earlier, for example while Open Library was down; its answer may add to the book.
            search.addToMatch(cachedCandidates(.volumesByTitle(terms)))
        }
        let precise = zip(search.answers, Self.questions(terms.withSubtitle)).filter { $0.0.records.isPart }.map(\.1)
        try await ask(precise, until: \.isVerified, &search)
        let broader = Self.questions(terms.withoutVolume) + Self.questions(terms.withoutAuthor)
        try await ask(broader, until: \.isFinding, &search)
        if let isbndb, !search.verdict.isFinding {
            let answer = try await lookup.ask(isbndb)
            search.add(answer)
            let whole = answer.records.isPart ? terms.withSubtitle.flatMap(questionToISBNdb) : nil
            try await ask([whole].compactMap(\.self), until: \.isVerified, &search)
        }
        return try await result(of: search, by: [.openLibrary, .googleBooks] + (isbndb == nil ? [] : [.isbndb]))
    }

    /// The book on a spine, by its words: Open Library is queried at most twice; if the first query fails, the second one goes to Google Books
    /// instead.
    func result(for spine: SpineText) async throws(QuestionFailure) -> LookupResult {
        guard let first = SpineSearch.first(spine) else { return .notFound(by: [], candidates: []) }
        var search = CandidateSearch { SpineMatch.best(for: spine, among: $0) }
        let answer = try await lookup.ask(.workSearch(first))
        search.add(answer)
        let second =
            answer.failure == nil ? SpineSearch.second(spine).map(Question.workSearch) : Question.volumeSearch(first)
        try await ask([second].compactMap(\.self), until: \.isVerified, &search)
        let found = try await result(of: search, by: [.openLibrary])
        guard case .needsReview = search.verdict, case .found(let book, let kind, let isComplete, _) = found else {
            return found
        }
        let others = Self.summaries(SpineMatch.ranked(search.candidates, for: spine))
        return .found(
            book, by: kind, isComplete: isComplete, others: Array(others.prefix(TitleMatch.maxCandidates)))
    }

    /// Asks one question after another until the verdict on the candidates suffices.
    private func ask(
        _ questions: [Question], until suffices: (MatchVerdict) -> Bool, _ search: inout CandidateSearch
    ) async throws(QuestionFailure) {
        for question in questions where !suffices(search.verdict) { search.add(try await lookup.ask(question)) }
    }

    /// The questions to Open Library and Google Books about a title.
    private static func questions(_ terms: TitleTerms?) -> [Question] {
        terms.map { [.works($0), .volumesByTitle($0)] } ?? []
    }

    /// The question for ISBNdb; nil if ISBNdb may not be queried to fill gaps, or if its queue is long.
    private func questionToISBNdb(_ terms: TitleTerms) -> Question? {
        let text = SearchTerms.Text.fields(title: terms.title, author: terms.author)
        let question = Question.isbndbSearch(SearchTerms(text, limit: Self.isbndbLimit))
        guard lookup.scheduler.mayFillGaps(with: question, for: lookup.asker),
            lookup.scheduler.expectedWait(of: .isbndb, for: lookup.asker) <= Self.maxExpectedISBNdbWait
        else { return nil }
        return question
    }

    private func cachedCandidates(_ question: Question) -> [BookCandidate] {
        guard let cached = lookup.asker.cached[question], cached.isFresh else { return [] }
        return cached.records.candidates
    }

    /// The outcome of a search. Of the answers, only the first determines whether a found book is complete.
    private func result(
        of search: CandidateSearch, by providers: [DataProvider]
    ) async throws(QuestionFailure) -> LookupResult {
        switch search.verdict {
        case .verified(let best, let agreeing):
            return try await lookup.found(
                best.candidate, agreeing: agreeing, .verified, after: [search.answers.first])
        case .needsReview(let best):
            return try await lookup.found(best.candidate, .needsReview, after: [search.answers.first])
        case .notFound(let near):
            let failures = search.answers.compactMap(\.failure)
            guard failures.isEmpty else { return .unanswered(failures) }
            return .notFound(by: providers, candidates: Self.summaries(near))
        }
    }

    /// Near matches without their descriptions; each book occurs once. The edition's title contains the subtitle, which may distinguish the books of
    /// a series.
    private static func summaries(_ near: [ScoredCandidate]) -> [EnrichedMetadata] {
        var seen: Set<[String]> = []
        return near.compactMap { candidate in
            var book = MetadataMerge.merged(match: candidate.candidate, reviewStatus: .needsReview)?.book
            book?.work.description = nil
            book?.edition?.editionDescription = nil
            return book
        }.filter { book in
            let title = book.edition?.title ?? book.work.title
            return seen.insert([title.lowercased()] + book.authors.map(\.name)).inserted
        }
    }
}

/// The answers to a lookup's questions so far, and the verdict on their candidates.
private struct CandidateSearch {
    private(set) var answers: [Result<ProviderRecords, QuestionFailure>] = []
    private(set) var candidates: [BookCandidate] = []
    private(set) var verdict = MatchVerdict.notFound(candidates: [])
    private let judge: ([BookCandidate]) -> MatchVerdict

    init(judge: @escaping ([BookCandidate]) -> MatchVerdict) { self.judge = judge }

    mutating func add(_ answer: Result<ProviderRecords, QuestionFailure>) {
        answers.append(answer)
        candidates += answer.records.candidates
        verdict = judge(candidates)
    }

    /// Adds candidates to a verified match, unless they put it in doubt.
    mutating func addToMatch(_ others: [BookCandidate]) {
        guard !others.isEmpty else { return }
        let fuller = judge(candidates + others)
        if fuller.isVerified { verdict = fuller }
    }
}

extension ProviderRecords {
    /// The records as candidates for a match.
    var candidates: [BookCandidate] { works.map { .work($0) } + editions.map { .edition($0) } }
}

extension MatchVerdict {
    /// Whether a candidate is, or may be, the book.
    fileprivate var isFinding: Bool {
        if case .notFound = self { false } else { true }
    }
}
