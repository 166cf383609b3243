import NIOConcurrencyHelpers
package import NIOCore

/// Tells the service manager again and again that the process is alive, for as long as it really is (sd_notify(3) "WATCHDOG=1").
package struct Watchdog<Ticks: Clock>: Sendable where Ticks.Duration == Duration {
    private let interval: Duration
    private let clock: Ticks
    private let liveness: Liveness
    private let beat: @Sendable () -> Void

    /// - Parameters:
    ///   - interval: Pause between an answer of all parts and the next question.
    ///   - beat: Called each time every part of `liveness` has answered.
    package init(every interval: Duration, clock: Ticks, liveness: Liveness, beat: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.clock = clock
        self.liveness = liveness
        self.beat = beat
    }

    /// Beats until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await liveness.proof()
            beat()
            try? await clock.sleep(for: interval)
        }
    }
}

/// What a service manager's watchdog asks of a process.
package enum WatchdogDemand {
    /// The pause between two beats: half of `WATCHDOG_USEC`. Nil when no service manager watches this process (sd_watchdog_enabled(3)).
    package static func interval(environment: [String: String], processID: Int32) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let limit = Int64(text), limit > 1 else { return nil }
        if let watched = environment["WATCHDOG_PID"], Int32(watched) != processID { return nil }
        return .microseconds(limit / 2)
    }
}

/// The parts of a process that must make progress for it to be alive, each with a question that only a part at work answers.
///
/// A timer of its own would go on beating while the real work hangs; here the hanging part withholds the answer, and with it the beat.
package final class Liveness: Sendable {
    private let questions = NIOLockedValueBox<[@Sendable () async -> Void]>([])

    /// Of no parts yet.
    package init() {}

    /// Adds a part. `answer` returns as soon as the part has done a turn of its work, and also once the part has ended as intended.
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
