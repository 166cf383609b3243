import Foundation

/// Waits for services that are stopping: `systemctl stop bookstrack.target` returns before the services of the target have ended
/// (systemd.unit(5), `PartOf=`).
struct StopPatience {
    /// Longer than a service may take to stop.
    static let limit = Duration.seconds(15)
    private static let step = Duration.milliseconds(250)

    var limit = Self.limit
    /// Waits before the next attempt.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Told once, when there is something to wait for.
    var note: @Sendable (String) -> Void = { _ in }

    /// Repeats an attempt for as long as it fails because a service has the data open (`ExitStatus.tryLater`). Throws what it threw last.
    func wait<Outcome>(for attempt: () throws -> Outcome) async throws -> Outcome {
        var waited = Duration.zero
        while true {
            do {
                return try attempt()
            } catch let failure as CommandFailure where failure.status == .tryLater && waited < limit {
                if waited == .zero {
                    note("Waiting up to \(limit.components.seconds) s for the services to stop: \(failure.message)\n")
                }
                try await pause(Self.step)
                waited += Self.step
            }
        }
    }
}
