package import Foundation

/// Every time that provider calls read: spans by ``now``, calendar days and HTTP dates by ``date`` (Services/README.md rule 8).
///
/// ``SystemProviderClock`` is the real one; tests move their own by hand.
package protocol ProviderClock: Sendable {
    /// The monotonic time; deadlines, spacing and back-off are measured with it.
    var now: MonotonicInstant { get }

    /// The calendar time; daily budgets and `Retry-After` dates are measured with it.
    var date: Date { get }

    /// Returns at `instant` or later.
    /// - Throws: `CancellationError` when the task is cancelled before.
    func sleep(until instant: MonotonicInstant) async throws
}

/// The machine's clocks. Its instants count from the first use in the process.
package struct SystemProviderClock: ProviderClock {
    private static let start = ContinuousClock.now

    package init() {}

    package var now: MonotonicInstant {
        MonotonicInstant(sinceStart: Self.start.duration(to: .now))
    }

    package var date: Date { Date() }

    package func sleep(until instant: MonotonicInstant) async throws {
        try await ContinuousClock().sleep(until: Self.start.advanced(by: instant.sinceStart))
    }
}

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

extension Duration {
    /// The milliseconds of this span, rounded up so that a wait of them does not end early.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue + milliseconds)
    }
}
