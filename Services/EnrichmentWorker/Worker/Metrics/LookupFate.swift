import Observability

/// What a look-up came to.
enum LookupFate: String, MetricLabel {
    case found
    /// Every provider that counts answered "none".
    case missing
    /// There is nothing to look up by.
    case invalid
    /// Providers did not answer.
    case unanswered
    /// Given back, because our own queue is long.
    case released
    /// The host wants it no longer.
    case withdrawn

    static let labelName = "outcome"
}
