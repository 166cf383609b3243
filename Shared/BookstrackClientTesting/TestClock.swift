public import BookstrackClient
public import Foundation

/// A clock that a test advances by hand, or an instant clock, on which no task has to wait.
///
/// ```swift
/// let clock = TestClock()
/// let client = BookstrackClient(transport: server, clock: clock)
/// await clock.sleepersArrive()
/// clock.advance(by: .seconds(30))
/// ```
public final class TestClock: ClientClock {
    private struct Sleeper {
        let wakes: Duration
        let source: AsyncStream<Void>.Continuation
    }

    private struct State {
        var uptime: Duration = .zero
        var date: Date
        var sleepers: [UUID: Sleeper] = [:]
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    private let isInstant: Bool
    private let state: Locked<State>

    /// Creates a clock. An instant clock advances automatically: ``sleep(for:)`` advances it by the whole duration and returns after a millisecond.
    public init(date: Date = Date(timeIntervalSince1970: 1_763_294_400), isInstant: Bool = false) {
        self.isInstant = isInstant
        state = Locked(State(date: date))
    }

    /// Time since the clock was created.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The calendar time.
    public var date: Date { state.withLock { $0.date } }

    /// Remaining sleep time of each sleeping task.
    public var sleeping: [Duration] {
        state.withLock { state in state.sleepers.values.map { $0.wakes - state.uptime } }
    }

    /// Advances the clock and wakes the tasks that are due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.uptime += duration
            let (seconds, attoseconds) = duration.components
            state.date += Double(seconds) + Double(attoseconds) * 1e-18
            let due = state.sleepers.filter { $0.value.wakes <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.source)
        }
        for source in due { source.finish() }
    }

    /// Returns once at least `count` tasks are sleeping, or when the calling task is cancelled. On an instant clock, no task counts as sleeping.
    public func sleepersArrive(_ count: Int = 1) async {
        while true {
            let (arrivals, source) = AsyncStream<Void>.makeStream()
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append(source)
                return false
            }
            if isThere || Task.isCancelled { return }
            for await _ in arrivals {}
        }
    }

    /// Sleeps until the clock has advanced far enough; an instant clock sleeps for a millisecond.
    public func sleep(for duration: Duration) async throws {
        if isInstant {
            try Task.checkCancellation()
            advance(by: duration)
            // A real pause lets other tasks run; otherwise, an idle connection would send pings endlessly.
            return try await Task.sleep(for: .milliseconds(1))
        }
        let id = UUID()
        let (wake, source) = AsyncStream<Void>.makeStream()
        let watchers = state.withLock { state in
            defer { state.watchers = [] }
            if duration > .zero {
                state.sleepers[id] = Sleeper(wakes: state.uptime + duration, source: source)
            } else {
                source.finish()
            }
            return state.watchers
        }
        for watcher in watchers { watcher.finish() }
        for await _ in wake {}
        _ = state.withLock { $0.sleepers.removeValue(forKey: id) }
        try Task.checkCancellation()
    }
}
