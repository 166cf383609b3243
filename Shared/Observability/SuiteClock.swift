package import Foundation

/// A source of time that tests can replace. Intervals are measured with ``uptime``; calendar times come from ``date``.
///
/// ``SystemClock`` is the machine's clock; tests use `ManualClock`, which they advance by hand.
package protocol SuiteClock: Sendable {
    /// Time since the clock's own start; it never decreases.
    var uptime: Duration { get }

    /// The calendar time, which an operator may change.
    var date: Date { get }

    /// Waits until `uptime`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func sleep(until uptime: Duration) async throws
}

/// The system clocks. Uptime starts at the first use in the process.
package struct SystemClock: SuiteClock {
    private static let start = ContinuousClock.now

    package init() {}

    package var uptime: Duration { Self.start.duration(to: .now) }

    package var date: Date { Date() }

    package func sleep(until uptime: Duration) async throws {
        try await ContinuousClock().sleep(until: Self.start.advanced(by: uptime))
    }
}
