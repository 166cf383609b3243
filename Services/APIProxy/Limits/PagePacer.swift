import NIOCore
import SuiteMethods

/// Spreads the pages of all result readings over time, so that they leave CPU time for live frames. Without pacing, readings would take all of it and
/// delay frames fifteen times as long.
///
/// Uses the virtual scheduling algorithm (GCRA, ITU-T I.371). The length of a page is unknown when it is requested, so the time of a full page is
/// reserved, and what a shorter page did not need is given back when it arrives.
struct PagePacer {
    /// The time that is reserved for a page.
    struct Reservation {
        /// How long the page has to wait.
        let delay: TimeAmount
        fileprivate let time: TimeAmount
    }

    /// Full pages per second for all readings together while a job is being watched: 19 MiB/s, a sixth of a gigabit line.
    static let pagesPerSecondWithFrames = 300
    /// Full pages per second while no job is being watched: 112 MiB/s, the rate of a gigabit line.
    static let pagesPerSecondAlone = 1_792
    /// How far pages may run ahead of the rate, so that a few pages at a time do not wait.
    static let burst = TimeAmount.milliseconds(20)
    /// How many requests for pages, not counting the pages' bytes, are as much work as one full page.
    static let requestsPerFullPage: Int64 = 4

    private var due = NIODeadline.uptimeNanoseconds(0)

    /// Reserves time for a page that is requested now.
    mutating func reserve(at now: NIODeadline, withFrames: Bool) -> Reservation {
        let rate = Int64(withFrames ? Self.pagesPerSecondWithFrames : Self.pagesPerSecondAlone)
        let time = TimeAmount.nanoseconds(1_000_000_000 / rate)
        let start = max(due, now)
        due = start + time
        return Reservation(delay: max(.zero, start - now - Self.burst), time: time)
    }

    /// Gives back what a page of this many bytes did not need of its reservation. Its request counts even if the page is empty.
    mutating func settle(_ reservation: Reservation, bytes: Int) {
        let time = reservation.time.nanoseconds
        let missing = Int64(max(0, ResultsPage.bytes - bytes))
        due = due - .nanoseconds((time - time / Self.requestsPerFullPage) * missing / Int64(ResultsPage.bytes))
    }
}
