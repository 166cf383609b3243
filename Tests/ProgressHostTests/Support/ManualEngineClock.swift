import Synchronization

@testable import ProgressHost

/// A clock that stands still until it is moved.
final class ManualEngineClock: EngineClock {
    static let start = Moment(uptime: .seconds(100), wall: 1_763_236_800_000)
    private let moment = Mutex(start)

    func now() -> Moment { moment.withLock { $0 } }

    func move(by interval: Duration) { moment.withLock { $0 = $0.advanced(by: interval) } }

    func move(to uptime: Duration) { move(by: max(.zero, uptime - now().uptime)) }

    /// Somebody sets the machine's clock.
    func stepWall(by interval: Duration) { moment.withLock { $0.wall += interval.milliseconds } }
}
