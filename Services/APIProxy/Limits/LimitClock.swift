import Foundation

/// The times that limits need: one that never jumps, to count by, and the calendar's, to tell clients.
struct LimitClock: Sendable {
    /// Milliseconds since some moment before the first request.
    var uptime: @Sendable () -> Int64
    /// Seconds since 1970.
    var unixTime: @Sendable () -> Int64

    /// The machine's clocks.
    static var system: LimitClock {
        let start = ContinuousClock.now
        return LimitClock(
            uptime: {
                let (seconds, attoseconds) = (ContinuousClock.now - start).components
                return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
            },
            unixTime: { Int64(Date().timeIntervalSince1970) })
    }
}
