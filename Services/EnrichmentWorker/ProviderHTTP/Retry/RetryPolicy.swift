/// When one call is tried again: at most 2 retries with full jitter (metadata.md "Providers").
package struct RetryPolicy: Sendable {
    /// Retries after the first attempt; default 2.
    package var limit: Int
    /// The longest pause before the first retry, doubled for each further one; default 500 ms.
    package var base: Duration
    /// The longest pause before any retry; default 5 s.
    package var ceiling: Duration
    /// Where jitter comes from: a number in 0..<1.
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
