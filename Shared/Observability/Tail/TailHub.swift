package import Logging
import Synchronization

/// Keeps the last entries of this process, and tells who follows that there are more.
///
/// Followers read at their own pace. One that is too slow finds entries gone and is told how many; it never holds up who publishes.
package final class TailHub: Sendable {
    private struct State {
        var ring: TailRing
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    /// Place of the least followed level in `Logger.Level.allCases`.
    private let followed = Atomic<Int>(Logger.Level.allCases.count)

    /// - Parameter capacity: How many entries are kept.
    package init(capacity: Int = 4_096) { state = Mutex(State(ring: TailRing(capacity: capacity))) }

    /// Adds an entry. Costs a lock and no text.
    package func publish(_ entry: TailEntry) {
        let waiting = state.withLock { state in
            state.ring.append(entry)
            guard !state.waiting.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for follower in waiting { follower.resume() }
    }

    /// Least level that a follower wants to see, where that is below what the service logs; nil when nobody asked for one.
    package var followedLevel: Logger.Level? {
        let place = followed.load(ordering: .relaxed)
        return place < Logger.Level.allCases.count ? Logger.Level.allCases[place] : nil
    }

    /// Says which level followers want to see.
    package func follow(level: Logger.Level?) {
        let place = level.flatMap { Logger.Level.allCases.firstIndex(of: $0) } ?? Logger.Level.allCases.count
        followed.store(place, ordering: .relaxed)
    }

    /// The number of the newest entry; 0 when there was none.
    package var newest: Int { state.withLock { $0.ring.newest } }

    /// The entries after `number`, oldest first, at most `limit`.
    package func entries(after number: Int, atMost limit: Int) -> TailBatch {
        state.withLock { $0.ring.entries(after: number, atMost: limit) }
    }

    /// Waits until there is an entry after `number`, or until ``wakeFollowers()``.
    package func more(after number: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.ring.newest <= number { state.waiting.append(continuation) }
                return state.ring.newest > number
            }
            if isThere { continuation.resume() }
        }
    }

    /// Ends every ``more(after:)``.
    package func wakeFollowers() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for follower in waiting { follower.resume() }
    }
}
