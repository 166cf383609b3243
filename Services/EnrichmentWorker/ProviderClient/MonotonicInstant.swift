package import Observability

/// A point in time on a monotonic clock, given as the time since the clock's own start.
///
/// It is a single type for every ``SuiteClock``, so state machines can store instants without being generic over a clock.
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
    /// The uptime, on which deadlines, spacing and backoff are based.
    package var now: MonotonicInstant { MonotonicInstant(sinceStart: uptime) }

    /// Waits until `instant`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func sleep(until instant: MonotonicInstant) async throws { try await sleep(until: instant.sinceStart) }
}
