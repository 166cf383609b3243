/// The politeness of one provider (metadata.md "Providers").
package struct BudgetLimits: Hashable, Sendable {
    /// Requests in any one second, all jobs together; 0 = no limit.
    package var requestsPerSecond: Int
    /// Requests a day, reset at midnight Pacific; 0 = no limit.
    package var requestsPerDay: Int
    /// A longer time between two requests, for a rate that is no whole number; default none.
    package var leastSpacing: Duration
    /// Requests under way at the same time, of this process; 0 = no limit.
    package var concurrent: Int
    /// Callers that may wait for their turn; default 8192.
    package var waiting: Int

    package init(
        requestsPerSecond: Int = 0, requestsPerDay: Int = 0, leastSpacing: Duration = .zero, concurrent: Int = 0,
        waiting: Int = 8192
    ) {
        self.requestsPerSecond = requestsPerSecond
        self.requestsPerDay = requestsPerDay
        self.leastSpacing = leastSpacing
        self.concurrent = concurrent
        self.waiting = waiting
    }

    /// The time between two requests; nil without a limit.
    ///
    /// There is no burst, so the first and the last of N + 1 requests are a second apart; 30 ms more keep them apart at the
    /// provider too, where one may arrive faster than the other.
    package var spacing: Duration? {
        requestsPerSecond > 0 ? max(leastSpacing, .milliseconds(1030) / requestsPerSecond) : nil
    }
}
