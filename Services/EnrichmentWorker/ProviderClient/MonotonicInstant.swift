package import Observability

/// A point on a clock that never goes back, as the time since the clock's own start.
///
/// It is one type for every ``SuiteClock``, so that state machines can keep instants without being generic over a clock.
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

extension SuiteClock {
    /// The uptime, from which deadlines, spacing and back-off are measured.
    package var now: MonotonicInstant { MonotonicInstant(sinceStart: uptime) }

    /// Returns at `instant` or later.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    package func sleep(until instant: MonotonicInstant) async throws { try await sleep(until: instant.sinceStart) }
}
