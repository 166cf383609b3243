import BookMetadata
import BookstrackContract

extension ItemLookup {
    /// The book with this title, as far as the candidates of the providers agree with the question (metadata.md "Lookup"). Google Books is
    /// asked when Open Library's best answer leaves doubt, and both are asked once more, without the author, when nothing they named
    /// could be the book: every word of a name has to be theirs as well. ISBNdb, where it is configured, is the last one.
    func book(_ question: TitleQuestion) async throws(QuestionFailure) -> LookupResult {
        let query = BookQuery(title: question.title, author: question.author)
        let asked: [Question] = [.works(question), .volumesByTitle(question)]
        let again = question.withoutAuthor.map { [Question.works($0), .volumesByTitle($0)] } ?? []
        let last = titlesOfISBNdb(question)
        var answers: [Result<ProviderRecords, QuestionFailure>] = []
        var candidates: [BookCandidate] = []
        var verdict = MatchVerdict.notFound(candidates: [])
        for (place, next) in (asked + again + last).enumerated() {
            if place >= asked.count, verdict.isFinding { break }
            let answer = try await ask(next)
            answers.append(answer)
            candidates +=
                answer.records.works.map { .work($0) } + answer.records.editions.map { .edition($0) }
            verdict = TitleMatch.best(for: query, among: candidates)
            if case .verified = verdict { break }
        }
        switch verdict {
        case .verified(let best, let agreeing):
            return try await found(best.candidate, agreeing: agreeing, .verified, after: [answers[0]])
        case .needsReview(let best, let agreeing):
            return try await found(best.candidate, agreeing: agreeing, .needsReview, after: [answers[0]])
        case .notFound(let near):
            let failures = answers.compactMap(\.failure)
            guard failures.isEmpty else { return .unanswered(failures) }
            let providers: [DataProvider] = [.openLibrary, .googleBooks] + (last.isEmpty ? [] : [.isbndb])
            return .notFound(by: providers, candidates: Self.summaries(near))
        }
    }

    /// How long titles wait for ISBNdb, which takes one a request; beyond, a list of them is done without it.
    private static let titlePatience = Duration.seconds(20)
    private static let titleLimit = 20

    /// The question to ISBNdb, as long as more than half of its day is left and its queue is short.
    private func titlesOfISBNdb(_ question: TitleQuestion) -> [Question] {
        guard desk.mayFillGapsFromISBNdb(for: asker), desk.expectedWait(of: .isbndb, for: asker) <= Self.titlePatience
        else { return [] }
        let text = SearchQuestion.Text.fields(title: question.title, author: question.author)
        return [.isbndbSearch(SearchQuestion(text, limit: Self.titleLimit))]
    }

    /// The work with this key, or the one that it was merged into. Its record names its authors by key only; the search index names
    /// them.
    func book(workKey key: String) async throws(QuestionFailure) -> LookupResult {
        let record = try await ask(.work(key))
        if let failure = record.failure { return .unanswered([failure]) }
        guard let work = record.records.works.first else {
            return .notFound(by: [.openLibrary], candidates: [])
        }
        let answer = try await addition(.indexedWork(work.key))
        let indexed = answer?.records.works.first
        return try await found(
            .work(indexed ?? work), fuller: indexed == nil ? [] : [work], .verified, by: .workId, after: [answer])
    }

    /// Completes a match with the edition that stands for it.
    ///
    /// - Parameter answers: What the match was made from; nil for what is left to a follow-up.
    private func found(
        _ match: BookCandidate, agreeing: [BookCandidate] = [], fuller: [WorkRecord] = [], _ status: ReviewStatus,
        by kind: MatchKind = .title, after answers: [Result<ProviderRecords, QuestionFailure>?]
    ) async throws(QuestionFailure) -> LookupResult {
        var editions: [EditionRecord] = []
        var isComplete = answers.allSatisfy { $0 != nil && $0?.failure == nil }
        if case .work(let work) = match, let key = work.representativeEditionKey {
            let edition = try await addition(.editionKey(key))
            if stage == .later, let failure = edition?.failure { return .unanswered([failure]) }
            editions = edition?.records.editions ?? []
            isComplete = isComplete && edition != nil && edition?.failure == nil
        }
        let book = MetadataMerge.merge(
            match: match, agreeing: agreeing, editions: editions, works: fuller, reviewStatus: status)
        guard let book else { return .notFound(by: [match.provider], candidates: []) }
        return .found(book, by: kind, isComplete: isComplete)
    }

    /// Near misses without their long texts, each book once whoever named it.
    private static func summaries(_ near: [ScoredCandidate]) -> [EnrichedMetadata] {
        var seen: Set<[String]> = []
        return near.compactMap { candidate in
            var book = MetadataMerge.merge(match: candidate.candidate, reviewStatus: .needsReview)
            book?.work.description = nil
            book?.edition?.editionDescription = nil
            return book
        }.filter { seen.insert([$0.work.title.lowercased()] + $0.authors.map(\.name)).inserted }
    }
}

extension MatchVerdict {
    /// Whether a candidate is, or may be, the book.
    fileprivate var isFinding: Bool {
        if case .notFound = self { false } else { true }
    }
}
