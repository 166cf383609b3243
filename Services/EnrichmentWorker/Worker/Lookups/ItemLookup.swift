import BookIdentifiers
import BookMetadata
import BookstrackContract
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import SuiteMethods

/// Looks up one item (metadata.md "Lookup").
struct ItemLookup: Sendable {
    let scheduler: QuestionScheduler
    let asker: Asker
    let clock: any SuiteClock
    /// The deadline of the lookup.
    let deadline: MonotonicInstant
    let stage: LookupStage
    private let state = NIOLockedValueBox(LookupSources())

    /// Looks up the item by the row's best identifier. If a follow-up brings new facts about the book, they are recorded first, and the authors are
    /// left to a later follow-up.
    ///
    /// - Throws: `QuestionFailure.withdrawn` if the task is cancelled.
    func result(for subject: LookupSubject) async throws(QuestionFailure) -> LookupResult {
        let result = try await bookResult(for: subject)
        guard case .found(let book, let kind, let isComplete, let others) = result else { return result }
        let mayAsk = stage == .later && !sources.includesFetched
        let authors = try await authors(book.book.authors, mayAsk: mayAsk)
        var known = book
        known.book.authors = authors.known
        return .found(known, by: kind, isComplete: isComplete && authors.isComplete, others: others)
    }

    /// Whether a follow-up received an answer from a provider, so further missing facts may be requested immediately.
    var hasProgressed: Bool { sources.includesFetched }

    /// The providers used so far.
    var sources: LookupSources { state.withLockedValue { $0 } }

    private func bookResult(for subject: LookupSubject) async throws(QuestionFailure) -> LookupResult {
        switch subject {
        case .isbn(let isbn, _): try await book(isbn)
        case .title(let question, _): try await book(question)
        case .spine(let spine): try await book(spine)
        case .work(let key): try await book(workKey: key)
        case .nothing(let reason): .invalid(reason)
        }
    }

    /// Asks a question on which the lookup depends. A failure is returned as a value; only a withdrawal is thrown.
    ///
    /// - Parameter limit: When to stop waiting; nil for the deadline of the lookup.
    func ask(
        _ question: Question, by limit: MonotonicInstant? = nil
    ) async throws(QuestionFailure) -> Result<ProviderRecords, QuestionFailure> {
        let outcome = await outcome(of: question, by: limit)
        if outcome.failure == .withdrawn { throw .withdrawn }
        return outcome
    }

    /// Asks for facts that only add to a found book. Returns nil if a first lookup does not receive the answer soon; the item is then recorded
    /// without it and followed up.
    func addition(_ question: Question) async throws(QuestionFailure) -> Result<ProviderRecords, QuestionFailure>? {
        guard case .first(let patience) = stage, asker.cached[question]?.isFresh != true else {
            return try await ask(question)
        }
        guard scheduler.expectedWait(of: question.provider, for: asker) <= patience else { return nil }
        let outcome = try await ask(question, by: min(deadline, clock.now.advanced(by: patience * 2)))
        return outcome.failure == nil ? outcome : nil
    }

    /// The outcome of a follow-up that fails to receive an addition: it is repeated later, because the item already has a result, which may contain
    /// the addition. Nil for other lookups, whose book is recorded without it.
    private func postponed(by addition: Result<ProviderRecords, QuestionFailure>?) -> LookupResult? {
        guard asker.workClass == .followUp, let failure = addition?.failure else { return nil }
        return .unanswered([failure])
    }

    /// Queries another provider to fill gaps; returns nil if the query fails or is left to a follow-up.
    func gapFilling(_ question: Question) async throws(QuestionFailure) -> ProviderRecords? {
        if let cached = asker.cached[question], cached.isFresh { return cached.records }
        guard stage == .later else { return nil }
        return try? await ask(question).get()
    }

    /// The authors with their known facts, from the cache, or from Wikidata if it may be queried (jobs.md "Retries").
    private func authors(
        _ authors: [AuthorDTO], mayAsk: Bool
    ) async throws(QuestionFailure) -> AuthorBackgrounds.Answer {
        let backgrounds = AuthorBackgrounds(scheduler: scheduler, asker: asker)
        let answer =
            mayAsk
            ? await backgrounds.asked(authors, by: deadline) : await backgrounds.cached(authors)
        if Task.isCancelled { throw .withdrawn }
        if mayAsk || answer.hasFacts { state.withLockedValue { $0.note(.wikidata, isAnswered: answer.hasFacts) } }
        return answer
    }

    /// Asks a question like ``ask(_:by:)``, but also returns a withdrawal as a failure.
    private func outcome(
        of question: Question, by limit: MonotonicInstant? = nil
    ) async -> Result<ProviderRecords, QuestionFailure> {
        do throws(QuestionFailure) {
            let answer = try await scheduler.ask(question, for: asker, deadline: limit ?? deadline)
            state.withLockedValue { state in
                state.note(question.provider, isAnswered: true)
                if case .fetched = answer { state.includesFetched = true }
            }
            return .success(answer.records)
        } catch {
            if case .withdrawn = error { return .failure(error) }
            state.withLockedValue { $0.note(question.provider, isAnswered: false) }
            return .failure(error)
        }
    }
}

/// The providers that a lookup used, directly or through the cache.
struct LookupSources: Sendable, Equatable {
    /// Providers to which a question was addressed.
    private(set) var asked: Set<ProviderName> = []
    /// Providers in `asked` that have answered, even if they do not have the book.
    private(set) var answered: Set<ProviderName> = []
    /// Whether an answer came from a provider itself rather than from the cache.
    fileprivate(set) var includesFetched = false

    fileprivate mutating func note(_ provider: ProviderName, isAnswered: Bool) {
        asked.insert(provider)
        if isAnswered { answered.insert(provider) }
    }
}

extension ProviderRecords {
    /// The records as candidates for a match.
    var candidates: [BookCandidate] { works.map { .work($0) } + editions.map { .edition($0) } }
}

extension Result<ProviderRecords, QuestionFailure> {
    /// The records in the answer; empty after a failure.
    var records: ProviderRecords { (try? get()) ?? .none }

    var failure: QuestionFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

/// The stage of an item's lookup, which decides how long to wait for additions to the book.
enum LookupStage: Equatable, Sendable {
    /// The first lookup: waits for additions that are expected within `patience`, for at most twice that time.
    case first(patience: Duration)
    /// A follow-up or a background retry, which may use a lookup's whole time limit.
    case later
}

/// Outcome of a lookup.
enum LookupResult: Sendable {
    /// - Parameters:
    ///   - isComplete: Whether every question that could add to the book was answered.
    ///   - others: For a spine whose match is in doubt, the most likely books, beginning with this one; otherwise empty.
    case found(MergedBook, by: MatchKind, isComplete: Bool, others: [EnrichedMetadata] = [])
    /// Every provider that matters for the outcome answered, and none has the book. Near matches from a search are kept for review.
    case notFound(by: [DataProvider], candidates: [EnrichedMetadata])
    /// A provider that matters for the outcome gave no answer, so a retry may find the book.
    case unanswered([QuestionFailure])
    /// There is nothing to look up.
    case invalid(String)
}

extension ItemLookup {
    /// The book with this ISBN (metadata.md "Lookup"). Interactive lookups query Open Library and Google Books concurrently; bulk lookups query Open
    /// Library first, and Google Books if Open Library fails or does not have the book, or, in a follow-up, to fill gaps. ISBNdb, if configured, is
    /// queried for what is missing.
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
            isbn, editions: answers.edition.records.editions + answers.volumes.records.editions,
            works: answers.facts.records.works, isComplete: failures.isEmpty)
        if let result = try await filledByISBNdb(found)?.result { return result }
        return try await bookOfISBNdb(isbn, after: [answers.edition, answers.volumes].compactMap(\.failure))
    }

    private func bookInBulk(_ isbn: ISBN) async throws(QuestionFailure) -> LookupResult {
        let edition = try await ask(.edition(isbn))
        if !edition.records.isEmpty, let result = try await completed(isbn, edition.records) { return result }
        let volumes = try await ask(.volumes(isbn))
        // If Open Library failed, it may be able to add to the book later.
        let found = Findings(isbn, editions: volumes.records.editions, isComplete: edition.failure == nil)
        if let result = try await filledByISBNdb(found)?.result { return result }
        return try await bookOfISBNdb(isbn, after: [edition, volumes].compactMap(\.failure))
    }

    /// The book from ISBNdb alone. It is incomplete if other providers failed, because they may be able to add to it later.
    private func bookOfISBNdb(
        _ isbn: ISBN, after failures: [QuestionFailure]
    ) async throws(QuestionFailure) -> LookupResult {
        let asked: [DataProvider] = [.openLibrary, .googleBooks]
        guard scheduler.hasISBNdb else {
            return failures.isEmpty ? .notFound(by: asked, candidates: []) : .unanswered(failures)
        }
        let answer = try await ask(.isbndbBook(isbn))
        let found = Findings(isbn, editions: answer.records.editions, isComplete: failures.isEmpty)
        if let result = found.result { return result }
        let all = failures + [answer].compactMap(\.failure)
        return all.isEmpty ? .notFound(by: asked + [.isbndb], candidates: []) : .unanswered(all)
    }

    /// The edition with its work's facts and additions from ISBNdb and Google Books; nil if no record has a title. ISBNdb comes first, because one
    /// request to it can contain many ISBNs.
    private func completed(_ isbn: ISBN, _ edition: ProviderRecords) async throws(QuestionFailure) -> LookupResult? {
        let facts = try await addition(.workFacts(isbn))
        if let postponed = postponed(by: facts) { return postponed }
        let known = Findings(
            isbn, editions: edition.editions, works: facts?.records.works ?? [],
            isComplete: facts != nil && facts?.failure == nil)
        guard var found = try await filledByISBNdb(known) else { return nil }
        let volumes = Question.volumes(isbn)
        if found.book?.book.hasGaps == true, scheduler.mayFillGaps(with: volumes, for: asker) {
            found.add(try await gapFilling(volumes))
        }
        return found.result
    }

    /// The findings, with additions from ISBNdb if something is missing; nil if they contain no book.
    private func filledByISBNdb(_ known: Findings) async throws(QuestionFailure) -> Findings? {
        guard let book = known.book?.book else { return nil }
        let question = Question.isbndbBook(known.isbn)
        guard book.hasGaps, scheduler.mayFillGaps(with: question, for: asker) else { return known }
        var found = known
        found.add(try? await addition(question)?.get())
        if Task.isCancelled { throw .withdrawn }
        return found
    }
}

/// The records found for an ISBN so far, and the book merged from them.
private struct Findings {
    let isbn: ISBN
    /// The merged book; nil if no record has a title.
    private(set) var book: MergedBook?
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

extension ItemLookup {
    /// The book with this title, if a provider's candidate matches the question (metadata.md "Lookup"). Google Books is queried if Open Library's
    /// best candidate leaves doubts. If doubts remain and the title has a subtitle, each of the two that has more results than it returned is queried
    /// once more with the words of the subtitle. If no candidate can be the book, both are queried once more without the volume number and once more
    /// without the author, because they require every word to match. ISBNdb, if configured, comes last.
    func book(_ question: TitleTerms) async throws(QuestionFailure) -> LookupResult {
        let query = BookQuery(title: question.title, author: question.author)
        let asked = Self.questions([question])
        let precise = Self.questions([question.withSubtitle])
        let again = Self.questions([question.withoutVolume, question.withoutAuthor])
        let last = titlesOfISBNdb(question)
        var answers: [Result<ProviderRecords, QuestionFailure>] = []
        var candidates: [BookCandidate] = []
        var verdict = MatchVerdict.notFound(candidates: [])
        for (place, next) in (asked + precise + again + last).enumerated() {
            if place >= asked.count + precise.count {
                if verdict.isFinding { break }
            } else if place >= asked.count, !answers[place - asked.count].records.isPart {
                continue
            }
            let answer = try await ask(next)
            answers.append(answer)
            candidates += answer.records.candidates
            verdict = TitleMatch.best(for: query, among: candidates)
            guard verdict.isVerified else { continue }
            // Another provider may have been asked earlier, for example while Open Library was down; its answer may add to the book.
            let others = asked.dropFirst(place + 1).flatMap(cachedCandidates)
            if !others.isEmpty {
                let fuller = TitleMatch.best(for: query, among: candidates + others)
                if fuller.isVerified { verdict = fuller }
            }
            break
        }
        return try await result(
            of: verdict, answers, by: [.openLibrary, .googleBooks] + (last.isEmpty ? [] : [.isbndb]))
    }

    /// The questions to both providers for each of these titles.
    private static func questions(_ titles: [TitleTerms?]) -> [Question] {
        titles.compactMap(\.self).flatMap { [.works($0), .volumesByTitle($0)] }
    }

    private func cachedCandidates(_ question: Question) -> [BookCandidate] {
        guard let cached = asker.cached[question], cached.isFresh else { return [] }
        return cached.records.candidates
    }

    /// The book on a spine, by its words: Open Library is queried at most twice; if the first query fails, the second one goes to
    /// Google Books instead (scans.md "Books").
    private func book(_ spine: SpineText) async throws(QuestionFailure) -> LookupResult {
        var answers: [Result<ProviderRecords, QuestionFailure>] = []
        var candidates: [BookCandidate] = []
        var verdict = MatchVerdict.notFound(candidates: [])
        guard let first = SpineSearch.first(spine) else { return .notFound(by: [], candidates: []) }
        var next: Question? = .workSearch(first)
        while let question = next {
            let answer = try await ask(question)
            next = nil
            if answers.isEmpty {
                next = answer.failure == nil ? SpineSearch.second(spine).map { .workSearch($0) } : .volumeSearch(first)
            }
            answers.append(answer)
            candidates += answer.records.candidates
            verdict = SpineMatch.best(for: spine, among: candidates)
            if verdict.isVerified { break }
        }
        let found = try await result(of: verdict, answers, by: [.openLibrary])
        guard case .needsReview = verdict, case .found(let book, let kind, let isComplete, _) = found else {
            return found
        }
        let others = Self.summaries(SpineMatch.ranked(candidates, for: spine))
        return .found(
            book, by: kind, isComplete: isComplete, others: Array(others.prefix(TitleMatch.maxCandidates)))
    }

    /// The outcome of a search. Of `answers`, only the first determines whether a found book is complete.
    private func result(
        of verdict: MatchVerdict, _ answers: [Result<ProviderRecords, QuestionFailure>], by providers: [DataProvider]
    ) async throws(QuestionFailure) -> LookupResult {
        switch verdict {
        case .verified(let best, let agreeing):
            return try await found(best.candidate, agreeing: agreeing, .verified, after: [answers.first])
        case .needsReview(let best, let agreeing):
            return try await found(best.candidate, agreeing: agreeing, .needsReview, after: [answers.first])
        case .notFound(let near):
            let failures = answers.compactMap(\.failure)
            guard failures.isEmpty else { return .unanswered(failures) }
            return .notFound(by: providers, candidates: Self.summaries(near))
        }
    }

    /// Maximum expected wait for ISBNdb, which accepts one title per request; if the expected wait is longer, titles are looked up without ISBNdb.
    private static let titlePatience = Duration.seconds(20)
    private static let titleLimit = 20

    /// The question for ISBNdb; none if ISBNdb may not be queried to fill gaps, or if its queue is long.
    private func titlesOfISBNdb(_ question: TitleTerms) -> [Question] {
        let text = SearchTerms.Text.fields(title: question.title, author: question.author)
        let search = Question.isbndbSearch(SearchTerms(text, limit: Self.titleLimit))
        guard scheduler.mayFillGaps(with: search, for: asker),
            scheduler.expectedWait(of: .isbndb, for: asker) <= Self.titlePatience
        else { return [] }
        return [search]
    }

    /// The work with this key, or the one that it was merged into. A work's record contains only its authors' keys; the search index contains their
    /// names.
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

    /// Completes a match with the edition that represents it.
    ///
    /// - Parameter answers: The answers that led to the match; nil for a question that is left to a follow-up.
    private func found(
        _ match: BookCandidate, agreeing: [BookCandidate] = [], fuller: [WorkRecord] = [], _ status: ReviewStatus,
        by kind: MatchKind = .title, after answers: [Result<ProviderRecords, QuestionFailure>?]
    ) async throws(QuestionFailure) -> LookupResult {
        var editions: [EditionRecord] = []
        var isComplete = answers.allSatisfy { $0 != nil && $0?.failure == nil }
        if case .work(let work) = match, let key = work.representativeEditionKey {
            let edition = try await addition(.editionKey(key))
            if let postponed = postponed(by: edition) { return postponed }
            editions = edition?.records.editions ?? []
            isComplete = isComplete && edition != nil && edition?.failure == nil
        }
        let book = MetadataMerge.merged(
            match: match, agreeing: agreeing, editions: editions, works: fuller, reviewStatus: status)
        guard let book else { return .notFound(by: [match.provider], candidates: []) }
        return .found(book, by: kind, isComplete: isComplete)
    }

    /// Near matches without their long strings; each book occurs once.
    private static func summaries(_ near: [ScoredCandidate]) -> [EnrichedMetadata] {
        var seen: Set<[String]> = []
        return near.compactMap { candidate in
            var book = MetadataMerge.merged(match: candidate.candidate, reviewStatus: .needsReview)?.book
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
