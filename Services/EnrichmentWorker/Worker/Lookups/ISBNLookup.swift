import BookIdentifiers
import BookMetadata
import BookstrackContract
import SuiteMethods

/// Looks up a book by its ISBN (metadata.md "Lookup").
struct ISBNLookup: Sendable {
    let lookup: ItemLookup
    let isbn: ISBN

    private var scheduler: QuestionScheduler { lookup.scheduler }

    /// The book with this ISBN. Interactive lookups query Open Library and Google Books concurrently; others query Open Library first, then Google
    /// Books if Open Library fails or does not have the book. If neither supplies it, ISBNdb is queried, if configured. Gaps are filled from ISBNdb
    /// and from Google Books, within limits (``QuestionScheduler/mayFillGaps(with:for:)``); only follow-ups and background retries query Google Books
    /// for this purpose.
    func result() async throws(QuestionFailure) -> LookupResult {
        lookup.asker.workClass == .interactive ? try await bookAtOnce() : try await bookInBulk()
    }

    private func bookAtOnce() async throws(QuestionFailure) -> LookupResult {
        async let edition = lookup.outcome(of: .edition(isbn))
        async let facts = lookup.outcome(of: .workFacts(isbn))
        async let volumes = lookup.outcome(of: .volumes(isbn))
        let answers = await (edition: edition, facts: facts, volumes: volumes)
        let failures = [answers.edition, answers.volumes, answers.facts].compactMap(\.failure)
        if failures.contains(.withdrawn) { throw .withdrawn }
        let found = Findings(
            isbn, editions: answers.edition.records.editions + answers.volumes.records.editions,
            works: answers.facts.records.works, isComplete: failures.isEmpty)
        if let result = try await filledByISBNdb(found)?.result { return result }
        return try await bookOfISBNdb(after: [answers.edition, answers.volumes].compactMap(\.failure))
    }

    private func bookInBulk() async throws(QuestionFailure) -> LookupResult {
        let edition = try await lookup.ask(.edition(isbn))
        if !edition.records.isEmpty, let result = try await completed(edition.records) { return result }
        let volumes = try await lookup.ask(.volumes(isbn))
        // If Open Library failed, it may be able to add to the book later.
        let found = Findings(isbn, editions: volumes.records.editions, isComplete: edition.failure == nil)
        if let result = try await filledByISBNdb(found)?.result { return result }
        return try await bookOfISBNdb(after: [edition, volumes].compactMap(\.failure))
    }

    /// The book from ISBNdb alone. It is incomplete if other providers failed, because they may be able to add to it later.
    private func bookOfISBNdb(after failures: [QuestionFailure]) async throws(QuestionFailure) -> LookupResult {
        let asked: [DataProvider] = [.openLibrary, .googleBooks]
        guard scheduler.hasISBNdb else {
            return failures.isEmpty ? .notFound(by: asked, candidates: []) : .unanswered(failures)
        }
        let answer = try await lookup.ask(.isbndbBook(isbn))
        let found = Findings(isbn, editions: answer.records.editions, isComplete: failures.isEmpty)
        if let result = found.result { return result }
        let all = failures + [answer].compactMap(\.failure)
        return all.isEmpty ? .notFound(by: asked + [.isbndb], candidates: []) : .unanswered(all)
    }

    /// The edition with its work's facts and additions from ISBNdb and Google Books; nil if no record has a title. ISBNdb comes first, because one
    /// request to it can contain many ISBNs.
    private func completed(_ edition: ProviderRecords) async throws(QuestionFailure) -> LookupResult? {
        let facts = try await lookup.addition(.workFacts(isbn))
        if let postponed = lookup.postponed(by: facts) { return postponed }
        let known = Findings(
            isbn, editions: edition.editions, works: facts?.records.works ?? [],
            isComplete: facts != nil && facts?.failure == nil)
        guard var found = try await filledByISBNdb(known) else { return nil }
        let volumes = Question.volumes(isbn)
        if found.book?.book.hasGaps == true, scheduler.mayFillGaps(with: volumes, for: lookup.asker) {
            found.add(await gapFilling(volumes))
        }
        return found.result
    }

    /// The findings, with additions from ISBNdb if something is missing and ISBNdb may be queried; nil if they contain no book.
    private func filledByISBNdb(_ known: Findings) async throws(QuestionFailure) -> Findings? {
        guard let book = known.book?.book else { return nil }
        let question = Question.isbndbBook(isbn)
        guard book.hasGaps, scheduler.mayFillGaps(with: question, for: lookup.asker) else { return known }
        var found = known
        found.add(try? await lookup.addition(question)?.get())
        if Task.isCancelled { throw .withdrawn }
        return found
    }

    /// Google Books' records for filling gaps; nil if the query fails or is left to later work.
    private func gapFilling(_ question: Question) async -> ProviderRecords? {
        if let cached = lookup.asker.cached[question], cached.isFresh { return cached.records }
        return lookup.stage == .later ? try? await lookup.ask(question).get() : nil
    }
}

/// The records found for an ISBN so far, and the book merged from them.
private struct Findings {
    /// The merged book; nil if no record has a title.
    private(set) var book: MergedBook?
    private let isbn: ISBN
    private var editions: [EditionRecord]
    private let works: [WorkRecord]
    /// Whether every question that could add to the book was answered.
    private var isComplete: Bool

    init(_ isbn: ISBN, editions: [EditionRecord], works: [WorkRecord] = [], isComplete: Bool) {
        self.isbn = isbn
        self.editions = editions
        self.works = works
        self.isComplete = isComplete
        merge()
    }

    /// - Parameter records: Nil if a provider cannot answer now but may answer later.
    mutating func add(_ records: ProviderRecords?) {
        isComplete = isComplete && records != nil
        guard let added = records?.editions, !added.isEmpty else { return }
        editions += added
        merge()
    }

    private mutating func merge() { book = MetadataMerge.merged(asked: isbn, editions: editions, works: works) }

    /// The result with this book; nil if no record has a title.
    var result: LookupResult? { book.map { .found($0, by: .isbn, isComplete: isComplete) } }
}

extension EnrichedMetadata {
    /// Whether facts are missing that another provider might have.
    fileprivate var hasGaps: Bool {
        work.description == nil || work.coverImageURL == nil || edition?.pageCount == nil || edition?.publisher == nil
    }
}
