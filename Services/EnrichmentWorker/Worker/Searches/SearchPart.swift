import BookstrackContract
import ProviderHTTP

/// What one provider said to one question of a search.
struct SearchPart: Sendable {
    let question: Question
    private(set) var outcome: Result<DeskAnswer, QuestionFailure>
    let duration: Duration

    var records: ProviderRecords { (try? outcome.get())?.records ?? .none }

    var failure: QuestionFailure? {
        if case .failure(let failure) = outcome { failure } else { nil }
    }

    /// The answer only led to another question: its records are no part of the result.
    mutating func dropRecords() {
        outcome = outcome.map { answer in
            DeskAnswer(records: .none, age: answer.age, freshFor: answer.freshFor)
        }
    }
}

extension ProviderDesk {
    /// Asks a question for a search; a failure is a value.
    func part(_ question: Question, for asker: Asker, by deadline: MonotonicInstant) async -> SearchPart {
        let start = clock.now
        let outcome: Result<DeskAnswer, QuestionFailure>
        do throws(QuestionFailure) {
            outcome = .success(try await ask(question, for: asker, deadline: deadline))
        } catch {
            outcome = .failure(error)
        }
        return SearchPart(question: question, outcome: outcome, duration: start.duration(to: clock.now))
    }
}
