import BookstrackContract
import ProviderHTTP

/// What one provider said to one question of a search.
struct SearchPart: Sendable {
    let question: Question
    /// Nothing after a failure.
    private(set) var records = ProviderRecords.none
    private(set) var failure: QuestionFailure?
    /// Time since the answer came; nil for one that has just come.
    private(set) var age: Duration?
    /// How much longer the answer serves as it is; zero for one that has expired.
    private(set) var freshFor = Duration.zero
    private(set) var duration = Duration.zero

    /// Whether the answer was known and has expired.
    var isStale: Bool { age != nil && freshFor <= .zero }

    private init(_ question: Question) { self.question = question }

    /// Asks a question for a search.
    init(_ question: Question, of desk: ProviderDesk, for asker: Asker, by deadline: MonotonicInstant) async {
        self.init(question)
        let start = desk.clock.now
        do throws(QuestionFailure) {
            let answer = try await desk.ask(question, for: asker, deadline: deadline)
            records = answer.records
            freshFor = desk.freshness(of: answer, to: question)
            if case .cached(let known) = answer { age = known.age }
        } catch {
            failure = error
        }
        duration = start.duration(to: desk.clock.now)
    }

    /// The answer only led to another question: its records are no part of the result.
    mutating func dropRecords() { records = .none }
}
