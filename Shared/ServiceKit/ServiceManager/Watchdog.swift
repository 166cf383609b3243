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
