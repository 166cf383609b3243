import NIOConcurrencyHelpers

@testable import APIProxy

/// A clock that only the test moves.
final class HandMovedLimitClock: Sendable {
    private let milliseconds = NIOLockedValueBox<Int64>(0)

    /// The calendar's time when the clock is made.
    static let start: Int64 = 1_700_000_000

    func move(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        milliseconds.withLockedValue { $0 += seconds * 1_000 + attoseconds / 1_000_000_000_000_000 }
    }

    var clock: LimitClock {
        LimitClock(
            uptime: { self.milliseconds.withLockedValue { $0 } },
            unixTime: { self.milliseconds.withLockedValue { Self.start + $0 / 1_000 } })
    }
}
