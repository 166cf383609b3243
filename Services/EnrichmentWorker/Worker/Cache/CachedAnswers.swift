/// What the cache knew about some questions at one moment.
struct CachedAnswers: Sendable {
    private var answers: [Question: CachedAnswer?] = [:]

    /// Notes what the cache knew; nil for nothing.
    mutating func note(_ answer: CachedAnswer?, to question: Question) {
        answers.updateValue(answer, forKey: question)
    }

    /// Whether the cache was asked this question.
    func covers(_ question: Question) -> Bool { answers[question] != nil }

    subscript(question: Question) -> CachedAnswer? { answers[question] ?? nil }
}
