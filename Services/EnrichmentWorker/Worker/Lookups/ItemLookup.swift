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
    let deadline: MonotonicInstant
    let stage: LookupStage
    private let state = NIOLockedValueBox(LookupSources())

    /// Looks up the book for a subject, and adds what is known about its authors. If a follow-up or background retry brings new facts about the book,
    /// they are recorded first, and the authors are left to a later follow-up.
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

    /// The providers used so far.
    var sources: LookupSources { state.withLockedValue { $0 } }

    private func bookResult(for subject: LookupSubject) async throws(QuestionFailure) -> LookupResult {
        switch subject {
        case .isbn(let isbn, _): try await ISBNLookup(lookup: self, isbn: isbn).result()
        case .title(let terms, _): try await TitleLookup(lookup: self).result(for: terms)
        case .spine(let spine): try await TitleLookup(lookup: self).result(for: spine)
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

    /// Asks for facts that only add to a found book. Returns nil if the question fails, or is not answered soon, in a first lookup; the item is then
    /// recorded without the facts and followed up.
    func addition(_ question: Question) async throws(QuestionFailure) -> Result<ProviderRecords, QuestionFailure>? {
        guard case .first(let maxExpectedWait) = stage, asker.cached[question]?.isFresh != true else {
            return try await ask(question)
        }
        guard scheduler.expectedWait(of: question.provider, for: asker) <= maxExpectedWait else { return nil }
        let outcome = try await ask(question, by: min(deadline, clock.now.advanced(by: maxExpectedWait * 2)))
        return outcome.failure == nil ? outcome : nil
    }

    /// The outcome if a follow-up fails to receive an addition: the follow-up is repeated later, because the item's existing result may already
    /// contain the addition. Nil if the addition arrived, and for other lookups, which record the book without it.
    func postponed(by addition: Result<ProviderRecords, QuestionFailure>?) -> LookupResult? {
        guard asker.workClass == .followUp, let failure = addition?.failure else { return nil }
        return .unanswered([failure])
    }

    /// The authors with their known facts, from the cache or, if `mayAsk`, from the providers as well (jobs.md "Retries").
    private func authors(
        _ authors: [AuthorDTO], mayAsk: Bool
    ) async throws(QuestionFailure) -> AuthorBackgrounds.Answer {
        let backgrounds = AuthorBackgrounds(scheduler: scheduler, asker: asker)
        let answer =
            mayAsk
            ? await backgrounds.asked(authors, by: deadline) : await backgrounds.cached(authors)
        if Task.isCancelled { throw .withdrawn }
        if mayAsk || answer.hasAnswers { state.withLockedValue { $0.note(.wikidata, isAnswered: answer.hasAnswers) } }
        return answer
    }

    /// Asks a question like ``ask(_:by:)``, but also returns a withdrawal as a failure.
    func outcome(
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

    /// The work with this key, or the one that it was merged into. A work's record contains only its authors' keys; the search index contains their
    /// names.
    private func book(workKey key: String) async throws(QuestionFailure) -> LookupResult {
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
    func found(
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

extension Result<ProviderRecords, QuestionFailure> {
    /// The records in the answer; empty after a failure.
    var records: ProviderRecords { (try? get()) ?? .none }

    var failure: QuestionFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

/// The stage of an item's lookup, which decides how long to wait for additions to the book.
enum LookupStage: Equatable, Sendable {
    /// The first lookup: waits for additions that are expected within `maxExpectedWait`, for at most twice that time.
    case first(maxExpectedWait: Duration)
    /// A follow-up or a background retry, which may use a lookup's whole time limit.
    case later
}

/// The result of an item's lookup.
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
