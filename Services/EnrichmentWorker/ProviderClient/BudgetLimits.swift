/// Rate limits for one provider (metadata.md "Providers").
package struct BudgetLimits: Hashable, Sendable {
    /// Maximum requests in any one second, for all callers together; 0 = no limit.
    package var requestsPerSecond: Int
    /// Maximum requests per day, reset at midnight Pacific time; 0 = no limit.
    package var requestsPerDay: Int
    /// Minimum time between two requests, for a rate that is not a whole number; ignored without ``requestsPerSecond``; default zero.
    package var minSpacing: Duration
    /// Maximum number of this process's requests in flight; 0 = no limit.
    package var concurrent: Int
    /// Maximum number of callers waiting for their turn; default 8192.
    package var waiting: Int

    package init(
        requestsPerSecond: Int = 0, requestsPerDay: Int = 0, minSpacing: Duration = .zero, concurrent: Int = 0,
        waiting: Int = 8192
    ) {
        self.requestsPerSecond = requestsPerSecond
        self.requestsPerDay = requestsPerDay
        self.minSpacing = minSpacing
        self.concurrent = concurrent
        self.waiting = waiting
    }

    /// The time between two requests; nil without a limit on the rate.
    ///
    /// Requests are never sent in bursts, so the first and the last of `requestsPerSecond` + 1 requests are at least a second apart. An additional
    /// 30 ms allows for a request that reaches the provider faster than an earlier one.
    package var spacing: Duration? {
        requestsPerSecond > 0 ? max(minSpacing, .milliseconds(1030) / requestsPerSecond) : nil
    }
}

/// Permission to send one request now.
package struct BudgetGrant: Hashable, Sendable {
    /// When permission was given.
    let slot: MonotonicInstant
    /// The day toward which the request counts, and the count including this request; nil without a daily budget.
    let usage: DailyUsage?
    /// The client whose share of the daily budget is charged; nil if shares do not apply.
    let client: String?
}

/// A turn in this process that has not yet been checked against other processes.
package struct BudgetTurn: Sendable {
    let grant: BudgetGrant
}

/// Why a budget refuses a request.
package enum BudgetRefusal: Error, Hashable, Sendable {
    /// The day's requests, or the client's share of them, are used up; more are available after `resetsIn`.
    case exhausted(resetsIn: Duration)
    /// The maximum number of callers is already waiting.
    case queueFull
    /// The turn would not come before the deadline.
    case deadline
    /// The provider asked for a pause that does not end before the deadline, in a response with this status.
    case paused(for: Duration, status: Int)
    /// The waiting task was cancelled.
    case cancelled
}

/// A budget at one moment.
package struct BudgetSnapshot: Hashable, Sendable {
    /// Number of callers waiting for their turn.
    package let waiting: Int
    /// Requests left today; nil without a daily budget.
    package let leftToday: Int?
    /// Maximum requests per day; nil without a daily budget.
    package let perDay: Int?
    /// End of the pause requested by the provider; nil if there is none.
    package let pausedUntil: MonotonicInstant?
}
