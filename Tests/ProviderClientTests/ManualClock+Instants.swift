import Observability
import ProviderClient
import TestSupport

extension ManualClock {
    func after(_ duration: Duration) -> MonotonicInstant { now.advanced(by: duration) }

    /// Advances to an instant once a task is sleeping until then.
    func move(to instant: MonotonicInstant) async {
        while !Task.isCancelled, !sleepers.contains(instant.sinceStart) { await Task.yield() }
        move(by: now.duration(to: instant))
    }
}
