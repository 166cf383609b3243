/// The retries of one call: takes each failed attempt and says what is next.
package struct RetrySequence: Sendable {
    /// What follows a failed attempt.
    package enum Decision: Hashable, Sendable {
        /// Another attempt, not before the instant.
        case retry(at: MonotonicInstant)
        /// The failure is the call's result.
        case giveUp
    }

    private let policy: RetryPolicy
    private let deadline: MonotonicInstant
    /// Retries granted so far.
    package private(set) var retries = 0

    package init(policy: RetryPolicy, deadline: MonotonicInstant) {
        self.policy = policy
        self.deadline = deadline
    }

    /// Judges a failed attempt.
    ///
    /// Time-outs, broken connections, 429 and 5xx are tried again after a random part of the back-off, and not before
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
