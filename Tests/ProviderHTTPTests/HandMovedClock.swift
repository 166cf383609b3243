import Foundation
import NIOConcurrencyHelpers
import ProviderHTTP

/// A clock that stands still until a test moves it.
final class HandMovedClock: ProviderClock {
    private struct Sleeper: Sendable {
        let id: UInt64
        let wakes: MonotonicInstant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var now = MonotonicInstant(sinceStart: .seconds(1000))
        var date: Date
        var nextID: UInt64 = 0
        var sleepers: [Sleeper] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: NIOLockedValueBox<State>

    /// - Parameter date: noon UTC on 16 November 2025 unless told, which is 4:00 Pacific.
    init(date: Date = Date(timeIntervalSince1970: 1_763_294_400)) {
        state = NIOLockedValueBox(State(date: date))
    }

    var now: MonotonicInstant { state.withLockedValue(\.now) }
    var date: Date { state.withLockedValue(\.date) }

    func after(_ duration: Duration) -> MonotonicInstant { now.advanced(by: duration) }

    func advance(by duration: Duration) {
        let due = state.withLockedValue { state in
            state.now = state.now.advanced(by: duration)
            state.date += duration / .seconds(1)
            let due = state.sleepers.filter { $0.wakes <= state.now }
            state.sleepers.removeAll { $0.wakes <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Returns once `count` tasks sleep.
    func sleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLockedValue { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves to an instant once a task sleeps until then.
    func advance(to instant: MonotonicInstant) async {
        while !Task.isCancelled, !state.withLockedValue({ $0.sleepers.contains { $0.wakes == instant } }) {
            await Task.yield()
        }
        advance(by: now.duration(to: instant))
    }

    func sleep(until instant: MonotonicInstant) async throws {
        let id = state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
        let slept = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                fallAsleep(Sleeper(id: id, wakes: instant, continuation: continuation))
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
        if !slept { throw CancellationError() }
    }

    private func fallAsleep(_ sleeper: Sleeper) {
        let (isPast, watchers) = state.withLockedValue { state in
            if sleeper.wakes <= state.now { return (true, [CheckedContinuation<Void, Never>]()) }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let served = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return (false, served)
        }
        if isPast { sleeper.continuation.resume(returning: true) }
        for watcher in watchers { watcher.resume() }
    }

    private func wake(_ id: UInt64) {
        let sleeper = state.withLockedValue { state in
            state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
        }
        sleeper?.continuation.resume(returning: false)
    }
}
