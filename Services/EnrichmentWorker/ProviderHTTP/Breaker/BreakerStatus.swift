/// What a circuit breaker is doing, for metrics and logs.
package enum BreakerStatus: Hashable, Sendable {
    /// Calls pass.
    case closed
    /// No call passes before the instant.
    case open(until: MonotonicInstant, cause: BreakerCause)
    /// The pause is over: one call passes, or is under way, and decides.
    case halfOpen(cause: BreakerCause)
}
