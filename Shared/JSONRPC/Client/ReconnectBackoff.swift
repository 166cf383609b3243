/// How long to wait before the next try to connect: doubling from `base` to `cap`, each with jitter of half its length,
/// so that clients of a restarted server do not come back in step.
package struct ReconnectBackoff: Sendable {
    private let base: Duration
    private let cap: Duration
    private var failures = 0

    package init(base: Duration = .milliseconds(50), cap: Duration = .seconds(2)) {
        self.base = base
        self.cap = cap
    }

    /// The wait after one more failure: between half of and the whole of `min(cap, base × 2ⁿ)`.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let full = min(cap, base * (1 << min(failures, 16)))
        failures += 1
        return full * Double.random(in: 0.5...1, using: &random)
    }

    /// A connection was made.
    package mutating func reset() {
        failures = 0
    }
}
