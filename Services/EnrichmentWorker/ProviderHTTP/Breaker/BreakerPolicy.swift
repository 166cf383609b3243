/// When a circuit breaker opens and for how long (metadata.md "Providers").
package struct BreakerPolicy: Hashable, Sendable {
    /// Failed calls in a row that open it; default 5.
    package var failureLimit: Int
    /// Pause before a probe after failures; default 10 s.
    package var failurePause: Duration
    /// Pause before a probe after a lasting refusal, or an exhausted quota whose reset is unknown, doubled each time; default 60 s.
    package var quotaPause: Duration
    /// The longest such pause; default 1 h.
    package var quotaCeiling: Duration

    package init(
        failureLimit: Int = 5, failurePause: Duration = .seconds(10), quotaPause: Duration = .seconds(60),
        quotaCeiling: Duration = .seconds(3600)
    ) {
        self.failureLimit = failureLimit
        self.failurePause = failurePause
        self.quotaPause = quotaPause
        self.quotaCeiling = quotaCeiling
    }
}
