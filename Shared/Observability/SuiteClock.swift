package import Foundation

/// The clock from which every part of a process reads the time. Intervals are measured by ``uptime``, calendar times by
/// ``date``.
///
/// ``SystemClock`` is the machine's; tests use `ManualClock`, which they advance by hand.
package protocol SuiteClock: Sendable {
    /// Time since the clock's own start; it never goes back.
    var uptime: Duration { get }

    /// The calendar time, which an operator may set.
    var date: Date { get }

    /// Returns at `uptime` or later.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func sleep(until uptime: Duration) async throws
}

/// The machine's clocks. Uptime counts from the first use in the process.
package struct SystemClock: SuiteClock {
    private static let start = ContinuousClock.now

    package init() {}

    package var uptime: Duration { Self.start.duration(to: .now) }

    package var date: Date { Date() }

    package func sleep(until uptime: Duration) async throws {
        try await ContinuousClock().sleep(until: Self.start.advanced(by: uptime))
    }
}
