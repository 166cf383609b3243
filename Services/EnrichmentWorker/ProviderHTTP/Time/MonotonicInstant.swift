/// A point on a clock that never goes back, as the time since the clock's own start.
///
/// It is one concrete type for every ``ProviderClock``, so that state machines can keep instants without being generic over a clock.
package struct MonotonicInstant: InstantProtocol {
    /// Time since the clock's start.
    package var sinceStart: Duration

    package init(sinceStart: Duration) {
        self.sinceStart = sinceStart
    }

    package func advanced(by duration: Duration) -> Self {
        Self(sinceStart: sinceStart + duration)
    }

    package func duration(to other: Self) -> Duration {
        other.sinceStart - sinceStart
    }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.sinceStart < rhs.sinceStart
    }
}
