package import Foundation

/// Requests made to a provider on one of its days.
package struct DailyUsage: Hashable, Sendable {
    /// The day in the provider's time zone, as `YYYY-MM-DD`.
    package var day: String
    /// Requests made on that day.
    package var used: Int

    package init(day: String, used: Int) {
        self.day = day
        self.used = used
    }
}

/// What the budgets of several processes share, and what of it survives them: the day's count of a provider, and the time of its next request.
/// The worker keeps it in its cache database.
package protocol BudgetStore: Sendable {
    /// The last stored usage of a provider; nil when there is none.
    func usage(provider: String) async throws -> DailyUsage?

    /// Adds requests to a day's count, or takes some back when `count` is negative. Returns the stored usage afterwards, which is of a
    /// later day when another process has begun one.
    func add(_ count: Int, on day: String, provider: String) async throws -> DailyUsage

    /// Reserves the provider's next turn: at `date`, or `spacing` after the turn that any process reserved last.
    func reserveTurn(provider: String, at date: Date, spacing: Duration) async throws -> Date
}
