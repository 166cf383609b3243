/// Leave to send one request now.
package struct BudgetGrant: Hashable, Sendable {
    /// When it was given.
    let slot: MonotonicInstant
    /// The day it counts for and the count with it, where the provider has a daily budget.
    let usage: DailyUsage?
    /// Whose share of the day it counts against; nil where shares do not count.
    let client: String?
}
