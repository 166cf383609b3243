/// Why a budget does not let a request through.
package enum BudgetRefusal: Error, Hashable, Sendable {
    /// The day's requests are used up; the next day begins after `resetsIn`.
    case exhausted(resetsIn: Duration)
    /// As many callers wait as may.
    case queueFull
    /// The turn does not come before the deadline.
    case deadline
    /// The waiting task was cancelled.
    case cancelled
}
