/// Why a budget does not let a request through.
package enum BudgetRefusal: Error, Hashable, Sendable {
    /// The day's requests, or the client's share of them, are used up; there are some again after `resetsIn`.
    case exhausted(resetsIn: Duration)
    /// As many callers wait as may.
    case queueFull
    /// The turn does not come before the deadline.
    case deadline
    /// The provider asked for a pause that ends after the deadline, in an answer with that status.
    case paused(for: Duration, status: Int)
    /// The waiting task was cancelled.
    case cancelled
}
