import NIOCore

/// Spreads the pages of all readings over time, so downloads leave CPU time for live frames. Without pacing, readings took all of it, and frames were
/// delayed fifteen times as long.
///
/// Uses the virtual scheduling algorithm (GCRA, ITU-T I.371). Each page counts the same, regardless of its length, since most of the work for a short
/// page is its request.
struct PagePacer {
    /// Pages per second for all readings together while a job is being watched: 19 MiB/s, a sixth of a gigabit line.
    static let pagesPerSecondWithFrames = 300
    /// Pages per second while no job is being watched: 112 MiB/s, the rate of a gigabit line.
    static let pagesPerSecondAlone = 1_792
    /// How far pages may run ahead of the rate, so that a few pages at a time do not wait.
    static let burst = Duration.milliseconds(20)

    private var due = NIODeadline.uptimeNanoseconds(0)

    /// Reserves a time for a page that is requested now, and returns how long the page has to wait.
    mutating func reserve(at now: NIODeadline, withFrames: Bool) -> Duration {
        let rate = Int64(withFrames ? Self.pagesPerSecondWithFrames : Self.pagesPerSecondAlone)
        let start = max(due, now)
        due = start + .nanoseconds(1_000_000_000 / rate)
        return max(.zero, .nanoseconds((start - now).nanoseconds) - Self.burst)
    }
}
