package import Foundation
import NIOConcurrencyHelpers
import Observability

/// A clock that stands still until a test advances it.
package final class ManualClock: SuiteClock {
    private struct Sleeper: Sendable {
        let id: Int
        let wakes: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var uptime: Duration
        /// Time since 1970; a `Date` would accumulate rounding errors.
        var calendar: Duration
        var lastID = 0
        var sleepers: [Sleeper] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state: NIOLockedValueBox<State>

    package init(uptime: Duration = .zero, date: Date = Date(timeIntervalSince1970: 1_763_294_400)) {
        let calendar = Duration.microseconds(Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
        state = NIOLockedValueBox(State(uptime: uptime, calendar: calendar))
    }

    package var uptime: Duration { state.withLockedValue(\.uptime) }
    package var date: Date {
        let (seconds, attoseconds) = state.withLockedValue(\.calendar).components
        return Date(timeIntervalSince1970: Double(seconds) + Double(attoseconds) * 1e-18)
    }

    /// The uptimes at which sleeping tasks wake.
    package var sleepers: [Duration] { state.withLockedValue { $0.sleepers.map(\.wakes) } }

    /// Advances the clock and wakes the tasks that are due.
    package func move(by interval: Duration) {
        let due = state.withLockedValue { state in
            state.uptime += interval
            state.calendar += interval
            let due = state.sleepers.filter { $0.wakes <= state.uptime }
            state.sleepers.removeAll { $0.wakes <= state.uptime }
            return due
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Changes only the calendar time, as when an operator sets the clock.
    package func stepDate(by interval: Duration) { state.withLockedValue { $0.calendar += interval } }

    /// Returns once a task is sleeping.
    package func sleeperArrives() async {
        await withCheckedContinuation { watcher in
            let isThere = state.withLockedValue { state in
                if state.sleepers.isEmpty { state.watchers.append(watcher) }
                return !state.sleepers.isEmpty
            }
            if isThere { watcher.resume() }
        }
    }

    package func sleep(until uptime: Duration) async throws {
        let id = state.withLockedValue { state in
            state.lastID += 1
            return state.lastID
        }
        let slept = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                fallAsleep(Sleeper(id: id, wakes: uptime, continuation: continuation))
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        if !slept { throw CancellationError() }
    }

    private func fallAsleep(_ sleeper: Sleeper) {
        let (isPast, watchers) = state.withLockedValue { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            if sleeper.wakes <= state.uptime { return (true, []) }
            state.sleepers.append(sleeper)
            defer { state.watchers = [] }
            return (false, state.watchers)
        }
        if isPast { sleeper.continuation.resume(returning: true) }
        for watcher in watchers { watcher.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLockedValue { state in
            state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
        }
        sleeper?.continuation.resume(returning: false)
    }
}
