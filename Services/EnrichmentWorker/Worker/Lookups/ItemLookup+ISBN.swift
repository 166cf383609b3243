import BookIdentifiers
import BookMetadata
import BookstrackContract
import SuiteMethods

extension ItemLookup {
    /// The book with this number (spec/04 "Search and enrichment"): from Open Library and Google Books at once for somebody who
    /// waits; in bulk from Open Library, and from Google Books what that does not have.
    func book(_ isbn: ISBN) async throws(QuestionFailure) -> LookupResult {
        asker.workClass == .interactive ? try await bookAtOnce(isbn) : try await bookInBulk(isbn)
    }

    private func bookAtOnce(_ isbn: ISBN) async throws(QuestionFailure) -> LookupResult {
        async let edition = outcome(of: .edition(isbn))
        async let facts = outcome(of: .workFacts(isbn))
        async let volumes = outcome(of: .volumes(isbn))
        let answers = await (edition: edition, facts: facts, volumes: volumes)
        let failures = [answers.edition, answers.volumes, answers.facts].compactMap(\.failure)
        if failures.contains(.withdrawn) { throw .withdrawn }
        let editions = answers.edition.records.editions + answers.volumes.records.editions
        if let book = MetadataMerge.merge(asked: isbn, editions: editions, works: answers.facts.records.works) {
            return .found(book, by: .isbn, isComplete: failures.isEmpty)
        }
        let decisive = [answers.edition, answers.volumes].compactMap(\.failure)
        return decisive.isEmpty
            ? .notFound(by: [.openLibrary, .googleBooks], candidates: []) : .unanswered(decisive)
    }

    private func bookInBulk(_ isbn: ISBN) async throws(QuestionFailure) -> LookupResult {
        let edition = try await ask(.edition(isbn))
        if !edition.records.isEmpty, let result = try await completed(isbn, edition.records) { return result }
        let volumes = try await ask(.volumes(isbn))
        if let book = MetadataMerge.merge(asked: isbn, editions: volumes.records.editions, works: []) {
            // What Open Library could not say now it may say later.
            return .found(book, by: .isbn, isComplete: edition.failure == nil)
        }
        let failures = [edition, volumes].compactMap(\.failure)
        guard failures.isEmpty else { return .unanswered(failures) }
        return .notFound(by: [.openLibrary, .googleBooks], candidates: [])
    }

    /// The edition with its work's facts, and with what Google Books adds; nil when no record has a title.
    private func completed(_ isbn: ISBN, _ edition: ProviderRecords) async throws(QuestionFailure) -> LookupResult? {
        let facts = try await addition(.workFacts(isbn))
        if stage == .later, let failure = facts?.failure { return .unanswered([failure]) }
        let works = facts?.records.works ?? []
        guard let book = MetadataMerge.merge(asked: isbn, editions: edition.editions, works: works) else { return nil }
        let isComplete = facts != nil && facts?.failure == nil
        guard book.hasGaps, desk.mayFillGaps(for: asker) else { return .found(book, by: .isbn, isComplete: isComplete) }
        guard let volumes = try await gapFilling(.volumes(isbn)) else {
            return .found(book, by: .isbn, isComplete: false)
        }
        let editions = edition.editions + volumes.editions
        return MetadataMerge.merge(asked: isbn, editions: editions, works: works).map {
            .found($0, by: .isbn, isComplete: isComplete)
        }
    }
}

extension EnrichedMetadata {
    /// Whether another provider might say what these do not.
    fileprivate var hasGaps: Bool {
        work.description == nil || work.coverImageURL == nil || edition?.pageCount == nil || edition?.publisher == nil
    }
}
