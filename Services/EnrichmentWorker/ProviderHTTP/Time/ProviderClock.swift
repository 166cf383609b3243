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
