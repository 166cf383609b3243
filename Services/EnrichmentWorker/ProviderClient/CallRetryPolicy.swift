/// The retries of one call: at most 2 with full jitter (metadata.md "Providers").
package struct CallRetryPolicy: Sendable {
    /// Retries after the first attempt; default 2.
    package var limit: Int
    /// The longest pause before the first retry, doubled for each further one; default 500 ms.
    package var base: Duration
    /// The longest pause before any retry; default 5 s.
    package var ceiling: Duration
    /// The source of jitter: returns a random number in 0..<1.
    package var random: @Sendable () -> Double

    package init(
        limit: Int = 2, base: Duration = .milliseconds(500), ceiling: Duration = .seconds(5),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.limit = limit
        self.base = base
        self.ceiling = ceiling
        self.random = random
    }
}

/// The retries of one call: decides after each failed attempt what is next.
package struct RetrySequence: Sendable {
    /// The decision after a failed attempt.
    package enum Decision: Hashable, Sendable {
        /// Another attempt, not before the instant.
        case retry(at: MonotonicInstant)
        /// The failure is the call's result.
        case giveUp
    }

    private let policy: CallRetryPolicy
    private let deadline: MonotonicInstant
    /// Retries granted so far.
    package private(set) var retries = 0

    package init(policy: CallRetryPolicy, deadline: MonotonicInstant) {
        self.policy = policy
        self.deadline = deadline
    }

    /// Decides what follows a failed attempt.
    ///
    /// Timeouts, broken connections, 429 and 5xx are retried after a random part of the back-off, and not before
    /// `retryAfter`. A pause that ends at the deadline or later is not begun (http-api.md "Searches").
    /// - Parameter retryAfter: the provider's `Retry-After`, counted from `now`.
    package mutating func failed(
        _ failure: ProviderFailure, retryAfter: Duration?, now: MonotonicInstant
    ) -> Decision {
        guard retries < policy.limit, Self.isTransient(failure) else { return .giveUp }
        let backOff = min(policy.ceiling, policy.base * (1 << retries)) * policy.random()
        let start = now.advanced(by: max(backOff, retryAfter ?? .zero))
        guard start < deadline else { return .giveUp }
        retries += 1
        return .retry(at: start)
    }

    private static func isTransient(_ failure: ProviderFailure) -> Bool {
        switch failure {
        case .timeout, .connection, .rateLimited: true
        case .httpStatus(let status): status >= 500
        default: false
        }
    }
}
