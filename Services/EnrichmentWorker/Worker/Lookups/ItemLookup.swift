import BookMetadata
import BookstrackContract
import ProviderHTTP

/// Looks one item up (spec/04 "Search and enrichment").
struct ItemLookup: Sendable {
    let desk: ProviderDesk
    let asker: Asker
    let clock: any ProviderClock
    /// When the look-up must be over.
    let deadline: MonotonicInstant
    /// How long what only adds to a book is waited for; nil for as long as the look-up may take.
    let patience: Duration?

    /// Looks up by the best that the row has.
    ///
    /// - Throws: `QuestionFailure.withdrawn` when the task is cancelled.
    func result(for subject: LookupSubject) async throws(QuestionFailure) -> LookupResult {
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
        do throws(QuestionFailure) {
            return .success(try await desk.ask(question, for: asker, deadline: deadline))
        } catch {
            if error == .withdrawn { throw error }
            return .failure(error)
        }
    }

    /// Asks for what only adds to a book that is found. Nil when it is not to be had soon: the item is then recorded without
    /// it and followed up.
    func addition(_ question: Question) async throws(QuestionFailure) -> Result<ProviderRecords, QuestionFailure>? {
        guard let patience, asker.cached[question]?.isFresh != true else { return try await ask(question) }
        guard desk.expectedWait(for: asker) <= patience else { return nil }
        let latest = min(deadline, clock.now.advanced(by: patience * 2))
        do throws(QuestionFailure) {
            return .success(try await desk.ask(question, for: asker, deadline: latest))
        } catch {
            if error == .withdrawn { throw error }
            return nil
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
