/// Where a daily budget survives restarts; the worker keeps it in its cache database.
package protocol DailyBudgetStore: Sendable {
    /// The last saved usage of a provider; nil when there is none.
    func usage(provider: String) async throws -> DailyUsage?

    /// Saves a provider's usage. Calls may overtake each other: of one day, the larger count is kept.
    func save(_ usage: DailyUsage, provider: String) async throws
}
