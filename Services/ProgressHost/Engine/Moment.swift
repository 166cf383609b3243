/// One reading of both clocks. Intervals are measured on `uptime`, what outlives the process is written in `wall`.
struct Moment: Sendable, Equatable {
    /// Time since an arbitrary start; never goes back.
    var uptime: Duration
    /// Milliseconds since 1970.
    var wall: Int64

    /// The moment `interval` later.
    func advanced(by interval: Duration) -> Moment {
        Moment(uptime: uptime + interval, wall: wall + interval.milliseconds)
    }

    /// Where on `uptime` the wall clock is expected to show `wall`.
    func uptime(atWall wall: Int64) -> Duration { uptime + .milliseconds(wall - self.wall) }
}

extension Duration {
    /// Whole milliseconds, cut.
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
