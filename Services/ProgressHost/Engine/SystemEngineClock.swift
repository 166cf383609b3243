import Observability

/// The machine's own clocks.
struct SystemEngineClock: EngineClock {
    private let start = ContinuousClock.now

    func now() -> Moment {
        Moment(uptime: ContinuousClock.now - start, wall: Activity.now)
    }
}
