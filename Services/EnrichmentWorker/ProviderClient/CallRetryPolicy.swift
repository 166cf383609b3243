/// How often and after which delay a failed call is retried: by default at most twice, with full jitter (metadata.md "Providers").
package struct CallRetryPolicy: Sendable {
    /// Maximum retries after the first attempt; default 2.
    package var limit: Int
    /// Maximum delay before the first retry, doubled for each further retry; default 500 ms.
    package var base: Duration
    /// Maximum delay before any retry, unless the provider asks for a longer one; default 5 s.
    package var ceiling: Duration
    /// Whether a request that has timed out is repeated; default true.
    package var repeatsTimeouts: Bool
    /// The source of jitter: returns a random number in 0..<1.
    package var random: @Sendable () -> Double

    package init(
        limit: Int = 2, base: Duration = .milliseconds(500), ceiling: Duration = .seconds(5),
        repeatsTimeouts: Bool = true,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.limit = limit
        self.base = base
        self.ceiling = ceiling
        self.repeatsTimeouts = repeatsTimeouts
        self.random = random
    }
}

/// The retries of one call: decides what to do after each failed attempt.
package struct RetrySequence: Sendable {
    /// The decision after a failed attempt.
    package enum Decision: Hashable, Sendable {
        /// Make another attempt, not before the instant.
        case retry(at: MonotonicInstant)
        /// Return the failure as the call's result.
        case giveUp
    }

    private let policy: CallRetryPolicy
    private let deadline: MonotonicInstant
    /// Number of retries granted so far.
    package private(set) var retries = 0

    package init(policy: CallRetryPolicy, deadline: MonotonicInstant) {
        self.policy = policy
        self.deadline = deadline
    }

    /// Decides what follows a failed attempt.
    ///
    /// Timeouts (``CallRetryPolicy/repeatsTimeouts``), connection failures, 429 and 5xx are retried up to ``CallRetryPolicy/limit`` times, after a
    /// random fraction of the backoff, but not before `retryAfter`. If the delay would end at or after the deadline, the call is not retried
    /// (http-api.md "Searches").
    /// - Parameter retryAfter: The pause that the provider requested, counted from `now`; nil if it requested none.
    package mutating func failed(
        _ failure: ProviderFailure, retryAfter: Duration?, now: MonotonicInstant
    ) -> Decision {
        guard retries < policy.limit, isTransient(failure) else { return .giveUp }
        let backOff = min(policy.ceiling, policy.base * (1 << retries)) * policy.random()
        let start = now.advanced(by: max(backOff, retryAfter ?? .zero))
        guard start < deadline else { return .giveUp }
        retries += 1
        return .retry(at: start)
    }

    private func isTransient(_ failure: ProviderFailure) -> Bool {
        switch failure {
        case .timeout: policy.repeatsTimeouts
        case .connection, .rateLimited: true
        case .httpStatus(let status): status >= 500
        default: false
        }
    }
}
