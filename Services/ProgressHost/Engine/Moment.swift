import NIOConcurrencyHelpers
import Observability

/// One reading of both clocks. Intervals are measured on `uptime`, what outlives the process is written in `wall`.
struct Moment: Sendable, Equatable {
    /// Time since an arbitrary start; never goes back.
    var uptime: Duration
    /// Milliseconds since 1970.
    var wall: Int64
    /// The wall clock as far as running time bears it out (``SettledTime``), milliseconds since 1970: what is due or over is decided by it.
    var settled: Int64

    init(uptime: Duration, wall: Int64, settled: Int64? = nil) {
        self.uptime = uptime
        self.wall = wall
        self.settled = settled ?? wall
    }

    /// The uptime that corresponds to `due` in settled time.
    func uptime(atWall due: Int64) -> Duration { uptime + .milliseconds(due - settled) }

    /// The settled time that corresponds to `due` on the wall clock.
    func settled(atWall due: Int64) -> Int64 { settled + (due - wall) }
}

/// The wall clock without its jumps forward, which would end every deadline at once: a clock that is set a day ahead for half a minute
/// fails no job and removes no results.
///
/// While the wall clock is ahead of what running time makes of an earlier reading, that counts. After as long as a job may run and, by
/// default, results live, the jump is believed: running time agrees by then that what was there before it is over. A clock that is set back
/// is believed at once, which ends nothing.
struct SettledTime: Sendable {
    /// Larger steps are jumps.
    private static let tolerance: Int64 = 10_000
    private static let disbelief = Duration.seconds(25 * 3_600)

    private var agreed: (uptime: Duration, wall: Int64)?
    private var aheadSince: Duration?

    /// Takes a reading of both clocks.
    mutating func moment(uptime: Duration, wall: Int64) -> Moment {
        let expected = agreed.map { $0.wall + (uptime - $0.uptime).milliseconds } ?? wall
        if wall - expected > Self.tolerance {
            let since = aheadSince ?? uptime
            aheadSince = since
            if uptime - since < Self.disbelief { return Moment(uptime: uptime, wall: wall, settled: expected) }
        }
        agreed = (uptime, wall)
        aheadSince = nil
        return Moment(uptime: uptime, wall: wall)
    }
}

/// Where the engine reads the time.
final class EngineClock: Sendable {
    private let clock: any SuiteClock
    private let settled = NIOLockedValueBox(SettledTime())

    init(_ clock: any SuiteClock = SystemClock()) { self.clock = clock }

    func now() -> Moment {
        settled.withLockedValue { $0.moment(uptime: clock.uptime, wall: clock.date.millisecondsSince1970) }
    }
}
