/// A provider's figures at one moment, for metrics and readiness.
package struct ProviderSnapshot: Hashable, Sendable {
    /// The provider's name.
    package let provider: String
    /// Finished calls by outcome; outcomes that never happened are absent.
    package let calls: [ProviderOutcome: Int]
    /// Calls that shared another one's result; not part of ``calls``.
    package let joined: Int
    /// Requests sent, retries and redirects included.
    package let requests: Int
    /// Calls under way.
    package let inFlight: Int
    /// The circuit breaker.
    package let breaker: BreakerStatus
    /// The budget.
    package let budget: BudgetSnapshot
}
