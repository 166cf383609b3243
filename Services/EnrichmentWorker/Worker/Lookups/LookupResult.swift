import BookstrackContract

/// What became of a look-up.
enum LookupResult: Sendable {
    /// - Parameter isComplete: Whether everything was asked that could add to it.
    case found(EnrichedMetadata, by: MatchKind, isComplete: Bool)
    /// Every provider that counts answered "none". Near misses of a search are kept for review.
    case notFound(by: [DataProvider], candidates: [EnrichedMetadata])
    /// A provider that counts did not answer: another try may find the book.
    case unanswered([QuestionFailure])
    /// There is nothing to look up by.
    case invalid(String)
}
