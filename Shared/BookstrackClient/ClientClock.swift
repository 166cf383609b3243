public import Foundation

/// The library's source of time, replaceable so that tests need not wait.
public protocol ClientClock: Sendable {
    /// Time since an arbitrary fixed moment; it never decreases.
    var uptime: Duration { get }

    /// The calendar time, which the user may change.
    var date: Date { get }

    /// Returns after `duration`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func sleep(for duration: Duration) async throws
}

/// The system clocks.
public struct MachineClock: ClientClock {
    private static let start = ContinuousClock.now

    /// Creates a clock.
    public init() {}

    /// Time since the clock was first used in this process, including time during which the machine slept.
    public var uptime: Duration { Self.start.duration(to: .now) }

    /// The calendar time.
    public var date: Date { Date() }

    /// Sleeps for `duration`.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// A value protected by a lock.
///
/// Sendable because the value is accessed only while the lock is held. Neither `Mutex` (which needs iOS 18) nor NIO's lock (which is not linked on
/// Apple platforms) can be used here.
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
