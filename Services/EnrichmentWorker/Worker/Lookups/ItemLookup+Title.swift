import BookMetadata
import BookstrackContract

extension ItemLookup {
    /// The book with this title, as far as the candidates of the providers agree with the question (spec/04). Google Books is
    /// asked when Open Library's best answer leaves doubt.
    func book(_ question: TitleQuestion) async throws(QuestionFailure) -> LookupResult {
        let query = BookQuery(title: question.title, author: question.author)
        let works = try await ask(.works(question))
        let candidates = works.records.works.map { BookCandidate.work($0) }
        if case .verified(let best, let agreeing) = TitleMatch.best(for: query, among: candidates) {
            return try await found(best.candidate, agreeing: agreeing, .verified, after: [works])
        }
        let volumes = try await ask(.volumesByTitle(question))
        let all = candidates + volumes.records.editions.map { BookCandidate.edition($0) }
        switch TitleMatch.best(for: query, among: all) {
        case .verified(let best, let agreeing):
            return try await found(best.candidate, agreeing: agreeing, .verified, after: [works])
        case .needsReview(let best, let agreeing):
            return try await found(best.candidate, agreeing: agreeing, .needsReview, after: [works])
        case .notFound(let near):
            let failures = [works, volumes].compactMap(\.failure)
            guard failures.isEmpty else { return .unanswered(failures) }
            return .notFound(by: [.openLibrary, .googleBooks], candidates: Self.summaries(near))
        }
    }

    /// The work with this key. Its record names its authors by key only; a search for its title names them.
    func book(workKey key: String) async throws(QuestionFailure) -> LookupResult {
        let record = try await ask(.work(key))
        if let failure = record.failure { return .unanswered([failure]) }
        guard let work = record.records.works.first else {
            return .notFound(by: [.openLibrary], candidates: [])
        }
        guard let question = TitleQuestion(title: work.title, author: nil) else {
            return .notFound(by: [.openLibrary], candidates: [])
        }
        let found = try await ask(.works(question))
        let listed = found.records.works.first { $0.key == work.key }
        return try await self.found(
            .work(listed ?? work), fuller: listed == nil ? [] : [work], .verified, by: .workId, after: [found])
    }

    /// Completes a match with the edition that stands for it.
    private func found(
        _ match: BookCandidate, agreeing: [BookCandidate] = [], fuller: [WorkRecord] = [], _ status: ReviewStatus,
        by kind: MatchKind = .title, after answers: [Result<ProviderRecords, QuestionFailure>]
    ) async throws(QuestionFailure) -> LookupResult {
        var editions: [EditionRecord] = []
        var isComplete = answers.allSatisfy { $0.failure == nil }
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
