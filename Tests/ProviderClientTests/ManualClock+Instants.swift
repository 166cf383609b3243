import Observability
import ProviderClient
import TestSupport

extension ManualClock {
    func after(_ duration: Duration) -> MonotonicInstant { now.advanced(by: duration) }

    /// Advances to an instant once a task is sleeping until then.
    func move(to instant: MonotonicInstant) async throws {
        try await until { sleepers.contains(instant.sinceStart) }
        move(by: now.duration(to: instant))
    }
}
