import Synchronization

@testable import ProgressHost

/// A clock that stands still until it is moved.
final class ManualEngineClock: EngineClock {
    static let start = Moment(uptime: .seconds(100), wall: 1_763_236_800_000)

    private struct State {
        var uptime = ManualEngineClock.start.uptime
        var wall = ManualEngineClock.start.wall
        var settled = SettledTime()
    }

    private let state = Mutex(State())

    func now() -> Moment { state.withLock { $0.settled.moment(uptime: $0.uptime, wall: $0.wall) } }

    func move(by interval: Duration) {
        _ = now()
        state.withLock {
            $0.uptime += interval
            $0.wall += interval.milliseconds
        }
    }

    func move(to uptime: Duration) { move(by: max(.zero, uptime - now().uptime)) }

    /// Somebody sets the machine's clock.
    func stepWall(by interval: Duration) {
        _ = now()
        state.withLock { $0.wall += interval.milliseconds }
    }
}
