/// A candidate and how well it answers the question.
package struct ScoredCandidate: Hashable, Sendable {
    package let candidate: BookCandidate
    /// From 0 to 1; the thresholds are those of `TitleMatch`.
    package let score: Double
}
