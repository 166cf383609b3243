/// Leave to make one call, given by ``CircuitBreaker/admit(now:)`` and handed back with the call's verdict.
package struct BreakerPermit: Hashable, Sendable {
    /// Whether the call is the probe that decides if the breaker closes; a probe is not retried.
    package let isProbe: Bool
    /// Counts the breaker's openings, so that a call from before one does not speak for the time after it.
    let epoch: UInt64
}
