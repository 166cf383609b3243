import NIOConcurrencyHelpers
import Observability

/// One reading of both clocks. Intervals are measured with `uptime`; times that outlive the process are stored as `wall` or as `settled`.
struct Moment: Sendable, Equatable {
    /// Time since an arbitrary start; never decreases.
    var uptime: Duration
    /// Calendar time, in milliseconds since 1970.
    var wall: Int64
    /// The wall clock without forward jumps (``SettledTime``), in milliseconds since 1970. It determines what is due or expired.
    var settled: Int64

    init(uptime: Duration, wall: Int64, settled: Int64? = nil) {
        self.uptime = uptime
        self.wall = wall
        self.settled = settled ?? wall
    }

    /// The uptime that corresponds to `due` in settled time.
    func uptime(atSettled due: Int64) -> Duration { uptime + .milliseconds(due - settled) }

    /// The time on the wall clock that corresponds to `due` in settled time.
    func wall(atSettled due: Int64) -> Int64 { wall + (due - settled) }

    /// Milliseconds since `time` on the wall clock. A forward jump since then is left out. A `time` later than settled time was read after the jump
    /// and is compared with the wall clock. The result may be negative if the clock has been set back.
    func elapsed(since time: Int64) -> Int64 { (time <= settled ? settled : wall) - time }
}

/// The wall clock without its forward jumps, which would make every deadline pass at once. If the clock is set a day ahead for half a minute, no job
/// fails and no results are removed.
///
/// While the wall clock is more than ten seconds ahead of an earlier reading plus the uptime since then, that sum is used instead. A jump is accepted
/// after 25 hours, which is longer than a job may run and, by default, than results are kept: by then, those periods have also passed in uptime. A
/// clock that is set back is accepted immediately, because nothing expires as a result.
struct SettledTime: Sendable {
    /// Maximum size of a step that does not count as a jump, in milliseconds.
    private static let tolerance: Int64 = 10_000
    /// How long the wall clock must be ahead before a jump is accepted.
    private static let timeToAccept = Duration.seconds(25 * 3_600)

    private var agreed: (uptime: Duration, wall: Int64)?
    private var aheadSince: Duration?

    /// Processes a reading of both clocks.
    mutating func moment(uptime: Duration, wall: Int64) -> Moment {
        let expected = agreed.map { $0.wall + (uptime - $0.uptime).milliseconds } ?? wall
        if wall - expected > Self.tolerance {
            let since = aheadSince ?? uptime
            aheadSince = since
            if uptime - since < Self.timeToAccept { return Moment(uptime: uptime, wall: wall, settled: expected) }
        }
        agreed = (uptime, wall)
        aheadSince = nil
        return Moment(uptime: uptime, wall: wall)
    }
}

/// Reads the clocks for the engine and adds the settled time.
final class EngineClock: Sendable {
    private let clock: any SuiteClock
    private let settled = NIOLockedValueBox(SettledTime())

    init(_ clock: any SuiteClock = SystemClock()) { self.clock = clock }

    func now() -> Moment {
        settled.withLockedValue { $0.moment(uptime: clock.uptime, wall: clock.date.millisecondsSince1970) }
    }
}
