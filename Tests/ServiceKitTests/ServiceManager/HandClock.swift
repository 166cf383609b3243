import NIOConcurrencyHelpers

/// A clock that moves only when the test says so.
final class HandClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var time = Swift.Duration.zero

        func advanced(by duration: Swift.Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.time - time }
        static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private struct State {
        var now = Instant()
        var sleepers: [(until: Instant, wake: CheckedContinuation<Void, Never>)] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    var now: Instant { state.withLockedValue(\.now) }
    let minimumResolution = Swift.Duration.zero

    /// When those who sleep want to be woken, counted from the clock's start.
    var sleepers: [Swift.Duration] { state.withLockedValue { $0.sleepers.map(\.until.time) } }

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        await withCheckedContinuation { wake in
            let watchers = state.withLockedValue { state in
                state.sleepers.append((deadline, wake))
                defer { state.waiting = [] }
                return state.waiting
            }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Returns once somebody sleeps.
    func sleeperArrives() async {
        await withCheckedContinuation { watcher in
            let isThere = state.withLockedValue { state in
                if state.sleepers.isEmpty { state.waiting.append(watcher) }
                return !state.sleepers.isEmpty
            }
            if isThere { watcher.resume() }
        }
    }

    func advance(by duration: Swift.Duration) {
        let woken = state.withLockedValue { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return due
        }
        for sleeper in woken { sleeper.wake.resume() }
    }
}
