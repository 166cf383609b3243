package import Logging
import NIOConcurrencyHelpers
import Synchronization

/// Keeps this process's most recent entries and notifies followers of new ones.
///
/// Followers read at their own pace. A slow follower misses entries and is told how many; it never delays publishers.
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

    /// The levels in order of severity; read for every potential log line.
    private static let levels = Logger.Level.allCases

    private let state: NIOLockedValueBox<State>
    /// Index in `levels` of the lowest followed level; -1 if none.
    private let followed = Atomic<Int>(-1)

    /// The hub of routine events, which are so frequent that they would displace all others from this ring; nil in that hub itself.
    package let routine: TailHub?

    /// - Parameter capacity: Maximum number of entries.
    package convenience init(capacity: Int = 2_048) {
        self.init(capacity: capacity, routine: TailHub(capacity: Self.routineCapacity, routine: nil))
    }

    /// Capacity for routine events, which need to be kept only until followers have read them.
    private static let routineCapacity = 256

    private init(capacity: Int, routine: TailHub?) {
        self.routine = routine
        state = NIOLockedValueBox(State(ring: TailRing(capacity: capacity)))
    }

    /// Adds an entry. This takes one lock and formats nothing.
    package func publish(_ entry: TailEntry) {
        if let routine, entry.isRoutine { return routine.publish(entry) }
        let (oldest, waiting) = state.withLockedValue { state in (state.ring.append(entry), state.takeWaiting()) }
        for follower in waiting { follower.resume() }
        _ = consume oldest
    }

    /// Adds several entries, none of which may be routine (``TailEntry/isRoutine``). This takes one lock.
    package func publish(nonRoutine entries: [TailEntry]) {
        guard !entries.isEmpty else { return }
        let (oldest, waiting) = state.withLockedValue { state in
            (entries.map { state.ring.append($0) }, state.takeWaiting())
        }
        for follower in waiting { follower.resume() }
        _ = consume oldest
    }

    /// Lowest minimum level requested by a follower; nil if no follower requested one.
    package var followedLevel: Logger.Level? {
        let place = followed.load(ordering: .relaxed)
        return place < 0 ? nil : Self.levels[place]
    }

    /// Sets ``followedLevel``.
    package func follow(level: Logger.Level?) {
        followed.store(level.flatMap { Self.levels.firstIndex(of: $0) } ?? -1, ordering: .relaxed)
    }

    /// The number of the newest entry; 0 if there is none.
    package var newest: Int { state.withLockedValue { $0.ring.newest } }

    /// Returns up to `limit` entries after `number`, oldest first.
    package func entries(after number: Int, atMost limit: Int) -> TailBatch {
        state.withLockedValue { $0.ring.entries(after: number, atMost: limit) }
    }

    /// Waits until there is an entry after `number`, or until ``wakeFollowers()``.
    package func more(after number: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLockedValue { state in
                if state.ring.newest <= number { state.waiting.append(continuation) }
                return state.ring.newest > number
            }
            if isThere { continuation.resume() }
        }
    }

    /// Resumes every ``more(after:)``.
    package func wakeFollowers() {
        for follower in state.withLockedValue({ $0.takeWaiting() }) { follower.resume() }
    }
}

/// The most recent entries of a process: new entries replace the oldest.
struct TailRing {
    private let capacity: Int
    private var entries: [TailEntry] = []
    /// The number of the newest entry; the first entry has number 1.
    private(set) var newest = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an entry and returns the replaced one, to be released outside any lock; nil if none was replaced.
    mutating func append(_ entry: consuming TailEntry) -> TailEntry? {
        newest += 1
        guard entries.count == capacity else {
            entries.append(entry)
            return nil
        }
        swap(&entries[(newest - 1) % capacity], &entry)
        return entry
    }

    /// Returns up to `limit` entries after `number`, oldest first, and the number of lost entries.
    func entries(after number: Int, atMost limit: Int) -> TailBatch {
        let oldest = newest - entries.count + 1
        let first = max(number + 1, oldest)
        guard first <= newest, limit > 0 else { return TailBatch(first: newest + 1, entries: [], missed: 0) }
        let last = first + min(newest - first, limit - 1)
        return TailBatch(
            first: first, entries: (first...last).map { entries[($0 - 1) % capacity] }, missed: first - number - 1)
    }
}

/// Consecutive entries of a `TailHub`.
package struct TailBatch: Sendable {
    /// The number of the first entry.
    package var first: Int
    /// The entries, oldest first.
    package var entries: [TailEntry]
    /// Number of requested entries that were lost, all of them before the first one returned.
    package var missed: Int

    /// The number after which to continue.
    package var last: Int { first + entries.count - 1 }
}
