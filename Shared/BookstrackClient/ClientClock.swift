public import Foundation

/// The clock from which the library reads the time, so that tests need not wait.
public protocol ClientClock: Sendable {
    /// Time since any fixed moment; it never goes back.
    var uptime: Duration { get }

    /// The calendar time, which a user may set.
    var date: Date { get }

    /// Returns after `duration`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func sleep(for duration: Duration) async throws
}

/// The machine's clocks.
public struct MachineClock: ClientClock {
    private static let start = ContinuousClock.now

    /// Makes a clock.
    public init() {}

    /// Time since the first use in the process, including the time in which the machine slept.
    public var uptime: Duration { Self.start.duration(to: .now) }

    /// The calendar time.
    public var date: Date { Date() }

    /// Sleeps.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// A value behind a lock.
///
/// Sendable because the value is only reached while the lock is held. Neither `Mutex` (iOS 18) nor a lock of NIO (not on Apple platforms) can be
/// used here.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
