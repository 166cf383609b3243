import BookIdentifiers
import BookMetadata
import BookstrackContract

extension ItemLookup {
    /// The book with this number: Open Library's edition, with what it knows of the work; Google Books where Open Library has
    /// no answer (spec/07 "Bulk look-up").
    func book(_ isbn: ISBN) async throws(QuestionFailure) -> LookupResult {
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

    /// The edition with its work's facts; nil when neither has a title.
    private func completed(_ isbn: ISBN, _ edition: ProviderRecords) async throws(QuestionFailure) -> LookupResult? {
        let facts = try await addition(.workFacts(isbn))
        if patience == nil, let failure = facts?.failure { return .unanswered([failure]) }
        let works = facts?.records.works ?? []
        return MetadataMerge.merge(asked: isbn, editions: edition.editions, works: works).map { book in
            .found(book, by: .isbn, isComplete: facts != nil && facts?.failure == nil)
        }
    }
}
