import NIOConcurrencyHelpers
import Observability

/// Where the engine reads the time; tests move it by hand.
protocol EngineClock: Sendable {
    func now() -> Moment
}

/// The machine's own clocks.
struct SystemEngineClock: EngineClock {
    private let start = ContinuousClock.now
    private let settled = NIOLockedValueBox(SettledTime())

    func now() -> Moment {
        settled.withLockedValue { $0.moment(uptime: ContinuousClock.now - start, wall: Activity.now) }
    }
}
