import BookMetadata
import BookstrackContract
import NIOConcurrencyHelpers
import ProviderHTTP

/// Looks one item up (metadata.md "Lookup").
struct ItemLookup: Sendable {
    let desk: ProviderDesk
    let asker: Asker
    let clock: any ProviderClock
    /// When the look-up must be over.
    let deadline: MonotonicInstant
    let stage: LookupStage
    /// Whether a provider was asked, rather than the cache.
    private let hasAskedProvider = NIOLockedValueBox(false)

    init(
        desk: ProviderDesk, asker: Asker, clock: any ProviderClock, deadline: MonotonicInstant, stage: LookupStage
    ) {
        self.desk = desk
        self.asker = asker
        self.clock = clock
        self.deadline = deadline
        self.stage = stage
    }

    /// Looks up by the best that the row has. What a follow-up learns about the book is worth telling before its authors are
    /// asked about.
    ///
    /// - Throws: `QuestionFailure.withdrawn` when the task is cancelled.
    func result(for subject: LookupSubject) async throws(QuestionFailure) -> LookupResult {
        let result = try await bookResult(for: subject)
        guard case .found(let book, let kind, let isComplete) = result else { return result }
        let mayAsk = stage == .later && !hasAskedProvider.withLockedValue { $0 }
        let authors = try await authors(book.authors, mayAsk: mayAsk)
        var known = book
        known.authors = authors.known
        return .found(known, by: kind, isComplete: isComplete && authors.isComplete)
    }

    /// Whether a follow-up found something out, so that what is still missing may be asked for at once.
    var hasProgressed: Bool { hasAskedProvider.withLockedValue { $0 } }

    private func bookResult(for subject: LookupSubject) async throws(QuestionFailure) -> LookupResult {
        switch subject {
        case .isbn(let isbn, _): try await book(isbn)
        case .title(let question, _): try await book(question)
        case .work(let key): try await book(workKey: key)
        case .nothing(let reason): .invalid(reason)
        }
    }

    /// Asks what the look-up depends on. A failure is a value here; only a withdrawal ends the look-up.
    func ask(
        _ question: Question
    ) async throws(QuestionFailure) -> Result<ProviderRecords, QuestionFailure> {
        let outcome = await outcome(of: question)
        if outcome.failure == .withdrawn { throw .withdrawn }
        return outcome
    }

    /// The same with a withdrawal as one of the failures.
    func outcome(of question: Question) async -> Result<ProviderRecords, QuestionFailure> {
        await outcome(of: question, by: deadline)
    }

    /// Asks for what only adds to a book that is found. Nil when it is not to be had soon: the item is then recorded without
    /// it and followed up.
    func addition(_ question: Question) async throws(QuestionFailure) -> Result<ProviderRecords, QuestionFailure>? {
        guard case .first(let patience) = stage, asker.cached[question]?.isFresh != true else {
            return try await ask(question)
        }
        guard desk.expectedWait(of: question.provider, for: asker) <= patience else { return nil }
        let outcome = await outcome(of: question, by: min(deadline, clock.now.advanced(by: patience * 2)))
        if outcome.failure == .withdrawn { throw .withdrawn }
        return outcome.failure == nil ? outcome : nil
    }

    /// Asks another provider for what the first does not say; nil when that is left to a follow-up.
    func gapFilling(_ question: Question) async throws(QuestionFailure) -> ProviderRecords? {
        if let cached = asker.cached[question], cached.isFresh { return cached.records }
        guard stage == .later else { return nil }
        return try? await ask(question).get()
    }

    /// The authors with what is known of them: at once from the cache, or from Wikidata if it may be asked (jobs.md "Retries").
    private func authors(
        _ authors: [AuthorDTO], mayAsk: Bool
    ) async throws(QuestionFailure) -> AuthorBackgrounds.Answer {
        let backgrounds = AuthorBackgrounds(desk: desk, asker: asker)
        let answer =
            mayAsk
            ? await backgrounds.asked(authors, by: deadline) : await backgrounds.cached(authors)
        if Task.isCancelled { throw .withdrawn }
        return answer
    }

    private func outcome(
        of question: Question, by deadline: MonotonicInstant
    ) async -> Result<ProviderRecords, QuestionFailure> {
        do throws(QuestionFailure) {
            let answer = try await desk.ask(question, for: asker, deadline: deadline)
            if case .fetched = answer { hasAskedProvider.withLockedValue { $0 = true } }
            return .success(answer.records)
        } catch {
            return .failure(error)
        }
    }
}

extension Result<ProviderRecords, QuestionFailure> {
    /// What was answered; nothing after a failure.
    var records: ProviderRecords { (try? get()) ?? .none }

    var failure: QuestionFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
