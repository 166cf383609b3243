/// What a service manager's watchdog asks of a process.
package enum WatchdogDemand {
    /// The pause between two beats: half of `WATCHDOG_USEC`. Nil when no service manager watches this process (sd_watchdog_enabled(3)).
    package static func interval(environment: [String: String], processID: Int32) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let limit = Int64(text), limit > 1 else { return nil }
        if let watched = environment["WATCHDOG_PID"], Int32(watched) != processID { return nil }
        return .microseconds(limit / 2)
    }
}
