import ProviderHTTP

/// When the next request to a provider with a limited rate is composed: no sooner than it can be sent. Until then questions
/// gather, so that it is full, and those that matter most are in it.
struct CallPace: Sendable {
    let spacing: Duration
    /// When the next request may be composed.
    private(set) var next: MonotonicInstant

    init(spacing: Duration, now: MonotonicInstant) {
        self.spacing = spacing
        next = now
    }

    func isOpen(_ now: MonotonicInstant) -> Bool { next <= now }

    /// A request was composed, or the provider has others to be sent first.
    mutating func close(_ now: MonotonicInstant) { next = now.advanced(by: spacing) }
}
