package import Logging
import Synchronization

/// Keeps the last entries of this process, and tells who follows that there are more.
///
/// Followers read at their own pace. One that is too slow finds entries gone and is told how many; it never holds up who publishes.
package final class TailHub: Sendable {
    private struct State {
        var ring: TailRing
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            guard !waiting.isEmpty else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    /// All of them in their order; asked for with every line that may be logged.
    private static let levels = Logger.Level.allCases

    private let state: Mutex<State>
    /// Place of the least followed level in `levels`; -1 when there is none.
    private let followed = Atomic<Int>(-1)

    /// Takes the routine events, which come so often that they would push everything else out of the ring; nil in that hub itself.
    package let routine: TailHub?

    /// - Parameter capacity: How many entries are kept.
    package convenience init(capacity: Int = 2_048) {
        self.init(capacity: capacity, routine: TailHub(capacity: Self.routineCapacity, routine: nil))
    }

    /// Routine events are kept only until followers have read them.
    private static let routineCapacity = 256

    private init(capacity: Int, routine: TailHub?) {
        self.routine = routine
        state = Mutex(State(ring: TailRing(capacity: capacity)))
    }

    /// Adds an entry. Costs a lock and no text.
    package func publish(_ entry: TailEntry) {
        if let routine, entry.isRoutine { return routine.publish(entry) }
        let (oldest, waiting) = state.withLock { state in (state.ring.append(entry), state.takeWaiting()) }
        for follower in waiting { follower.resume() }
        _ = consume oldest
    }

    /// Adds entries that come together, for the price of one lock.
    package func publish(contentsOf entries: [TailEntry]) {
        guard !entries.isEmpty else { return }
        let (oldest, waiting) = state.withLock { state in
            (entries.map { state.ring.append($0) }, state.takeWaiting())
        }
        for follower in waiting { follower.resume() }
        _ = consume oldest
    }

    /// Minimum level that a follower wants to see, where that is below what the service logs; nil when none asked for one.
    package var followedLevel: Logger.Level? {
        let place = followed.load(ordering: .relaxed)
        return place < 0 ? nil : Self.levels[place]
    }

    /// Says which level followers want to see.
    package func follow(level: Logger.Level?) {
        followed.store(level.flatMap { Self.levels.firstIndex(of: $0) } ?? -1, ordering: .relaxed)
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
        for follower in state.withLock({ $0.takeWaiting() }) { follower.resume() }
    }
}

/// The last entries of a process: new ones take the place of the oldest.
struct TailRing {
    private let capacity: Int
    private var entries: [TailEntry] = []
    /// The number of the newest entry; the first one has 1.
    private(set) var newest = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an entry; returns the one whose place it takes, to be let go outside of any lock.
    mutating func append(_ entry: consuming TailEntry) -> TailEntry? {
        newest += 1
        guard entries.count == capacity else {
            entries.append(entry)
            return nil
        }
        swap(&entries[(newest - 1) % capacity], &entry)
        return entry
    }

    /// The entries after `number`, oldest first, at most `limit`, and how many of those after it are gone.
    func entries(after number: Int, atMost limit: Int) -> TailBatch {
        let oldest = newest - entries.count + 1
        let first = max(number + 1, oldest)
        guard first <= newest, limit > 0 else { return TailBatch(first: newest + 1, entries: [], missed: 0) }
        let last = first + min(newest - first, limit - 1)
        return TailBatch(
            first: first, entries: (first...last).map { entries[($0 - 1) % capacity] }, missed: first - number - 1)
    }
}

/// Successive entries of a `TailHub`.
package struct TailBatch: Sendable {
    /// The number of the first entry.
    package var first: Int
    /// Oldest first.
    package var entries: [TailEntry]
    /// How many entries before the first one were asked for and are gone.
    package var missed: Int

    /// The number to go on after.
    package var last: Int { first + entries.count - 1 }
}
