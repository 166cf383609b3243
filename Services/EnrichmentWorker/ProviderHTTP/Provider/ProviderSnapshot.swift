package import Observability

/// A provider's figures at one moment, for metrics and readiness.
package struct ProviderSnapshot: Hashable, Sendable {
    /// The provider's name.
    package let provider: String
    /// How long finished calls took, waits for a turn and retries included, by outcome; outcomes that never happened are absent.
    package let durations: [ProviderOutcome: Distribution]
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

    /// Finished calls by outcome.
    package var calls: [ProviderOutcome: Int] { durations.mapValues { Int($0.count) } }
}
