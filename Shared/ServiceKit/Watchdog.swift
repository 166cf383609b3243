import NIOConcurrencyHelpers
package import NIOCore
package import Observability

/// Sends keep-alives to the service manager as long as the process makes progress (sd_notify(3) "WATCHDOG=1").
package struct Watchdog: Sendable {
    private let interval: Duration
    private let clock: any SuiteClock
    private let liveness: Liveness
    private let keepAlive: @Sendable () -> Void

    /// - Parameters:
    ///   - interval: The pause between the last answer and the next round of checks.
    ///   - keepAlive: Called each time all parts of `liveness` have answered.
    package init(
        every interval: Duration, clock: any SuiteClock = SystemClock(), liveness: Liveness,
        keepAlive: @escaping @Sendable () -> Void
    ) {
        self.interval = interval
        self.clock = clock
        self.liveness = liveness
        self.keepAlive = keepAlive
    }

    /// Runs until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await liveness.proof()
            keepAlive()
            try? await clock.sleep(until: clock.uptime + interval)
        }
    }
}

/// The service manager's request for keep-alives.
package enum WatchdogDemand {
    /// The interval: half of `WATCHDOG_USEC`. Nil if no service manager watches this process (sd_watchdog_enabled(3)).
    package static func interval(environment: [String: String], processID: Int32) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let limit = Int64(text), limit > 1 else { return nil }
        if let watched = environment["WATCHDOG_PID"], Int32(watched) != processID { return nil }
        return .microseconds(limit / 2)
    }
}

/// The parts of a process that must make progress for it to be alive, each with a check that only a working part can answer.
///
/// A separate timer would continue while the actual work hangs. Here, a part that hangs does not answer, so no keep-alive is sent.
package final class Liveness: Sendable {
    private let questions = NIOLockedValueBox<[@Sendable () async -> Void]>([])

    /// Creates a value without parts.
    package init() {}

    /// Adds a part. `answer` must return as soon as the part has completed a round of its work, and also after the part has ended normally.
    package func watch(_ answer: @escaping @Sendable () async -> Void) {
        questions.withLockedValue { $0.append(answer) }
    }

    /// Adds every event loop of `group`.
    package func watch(_ group: any EventLoopGroup) {
        for eventLoop in group.makeIterator() {
            watch { _ = try? await eventLoop.submit {}.get() }
        }
    }

    /// Returns when every part has answered.
    package func proof() async {
        for question in questions.withLockedValue({ $0 }) { await question() }
    }
}
