import BookIdentifiers
import BookMetadata
import BookstrackContract
import SuiteMethods

extension ItemLookup {
    /// The book with this number (metadata.md "Lookup"): from Open Library and Google Books at once for somebody who
    /// waits; in bulk from Open Library, and from Google Books what that does not have. ISBNdb, where it is configured, is asked for
    /// what both do not know or do not say.
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
        let found = Findings(
            editions: answers.edition.records.editions + answers.volumes.records.editions,
            works: answers.facts.records.works, isComplete: failures.isEmpty)
        if let result = try await filledByISBNdb(isbn, found)?.result(isbn) { return result }
        return try await bookOfISBNdb(isbn, after: [answers.edition, answers.volumes].compactMap(\.failure))
    }

    private func bookInBulk(_ isbn: ISBN) async throws(QuestionFailure) -> LookupResult {
        let edition = try await ask(.edition(isbn))
        if !edition.records.isEmpty, let result = try await completed(isbn, edition.records) { return result }
        let volumes = try await ask(.volumes(isbn))
        // What Open Library could not say now it may say later.
        let found = Findings(editions: volumes.records.editions, isComplete: edition.failure == nil)
        if let result = try await filledByISBNdb(isbn, found)?.result(isbn) { return result }
        return try await bookOfISBNdb(isbn, after: [edition, volumes].compactMap(\.failure))
    }

    /// The book of ISBNdb alone; what the others could not say now they may say later.
    private func bookOfISBNdb(
        _ isbn: ISBN, after failures: [QuestionFailure]
    ) async throws(QuestionFailure) -> LookupResult {
        let asked: [DataProvider] = [.openLibrary, .googleBooks]
        guard desk.hasISBNdb else {
            return failures.isEmpty ? .notFound(by: asked, candidates: []) : .unanswered(failures)
        }
        let answer = try await ask(.isbndbBook(isbn))
        let found = Findings(editions: answer.records.editions, isComplete: failures.isEmpty)
        if let result = found.result(isbn) { return result }
        let all = failures + [answer].compactMap(\.failure)
        return all.isEmpty ? .notFound(by: asked + [.isbndb], candidates: []) : .unanswered(all)
    }

    /// The edition with its work's facts, and with what ISBNdb and Google Books add; nil when no record has a title. ISBNdb comes
    /// first: it takes many numbers in a request.
    private func completed(_ isbn: ISBN, _ edition: ProviderRecords) async throws(QuestionFailure) -> LookupResult? {
        let facts = try await addition(.workFacts(isbn))
        if stage == .later, let failure = facts?.failure { return .unanswered([failure]) }
        let known = Findings(
            editions: edition.editions, works: facts?.records.works ?? [],
            isComplete: facts != nil && facts?.failure == nil)
        guard var found = try await filledByISBNdb(isbn, known) else { return nil }
        if found.book(isbn)?.hasGaps == true, desk.mayFillGaps(for: asker) {
            found.add(try await gapFilling(.volumes(isbn)))
        }
        return found.result(isbn)
    }

    /// The findings with what ISBNdb says beyond them, if something is missing; nil when there is no book among them.
    private func filledByISBNdb(_ isbn: ISBN, _ known: Findings) async throws(QuestionFailure) -> Findings? {
        guard let book = known.book(isbn) else { return nil }
        guard book.hasGaps, desk.mayFillGapsFromISBNdb(for: asker) else { return known }
        var found = known
        found.add(try? await addition(.isbndbBook(isbn))?.get())
        if Task.isCancelled { throw .withdrawn }
        return found
    }
}

/// What providers said of a number so far.
private struct Findings {
    private var editions: [EditionRecord]
    private let works: [WorkRecord]
    /// Whether everything was asked that could add to it.
    private var isComplete: Bool

    init(editions: [EditionRecord], works: [WorkRecord] = [], isComplete: Bool) {
        self.editions = editions
        self.works = works
        self.isComplete = isComplete
    }

    /// - Parameter records: Nil when a provider could not say now what it may say later.
    mutating func add(_ records: ProviderRecords?) {
        editions += records?.editions ?? []
        isComplete = isComplete && records != nil
    }

    func book(_ isbn: ISBN) -> EnrichedMetadata? { MetadataMerge.merge(asked: isbn, editions: editions, works: works) }

    /// Nil when no record has a title.
    func result(_ isbn: ISBN) -> LookupResult? { book(isbn).map { .found($0, by: .isbn, isComplete: isComplete) } }
}

extension EnrichedMetadata {
    /// Whether another provider might say what these do not.
    fileprivate var hasGaps: Bool {
        work.description == nil || work.coverImageURL == nil || edition?.pageCount == nil || edition?.publisher == nil
    }
}
