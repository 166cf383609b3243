/// A budget at one moment, for metrics.
package struct BudgetSnapshot: Hashable, Sendable {
    /// Callers that wait for their turn.
    package let waiting: Int
    /// Requests left today; nil without a daily budget.
    package let leftToday: Int?
    /// When the pause ends that the provider asked for; nil without one.
    package let pausedUntil: MonotonicInstant?
}
