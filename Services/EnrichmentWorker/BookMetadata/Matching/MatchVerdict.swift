/// The outcome of a search by title (spec/04 "Search and enrichment").
package enum MatchVerdict: Hashable, Sendable {
    /// The book, beyond doubt. `agreeing` are answers of other providers that name the same book as surely.
    case verified(ScoredCandidate, agreeing: [BookCandidate])
    /// Probably the book; a person should look.
    case needsReview(ScoredCandidate, agreeing: [BookCandidate])
    /// Not the book. Up to three near misses, best first, are kept for review.
    case notFound(candidates: [ScoredCandidate])
}
