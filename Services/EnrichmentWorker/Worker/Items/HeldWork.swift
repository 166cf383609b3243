import BookstrackContract
import NIOConcurrencyHelpers
import SuiteMethods

/// ``HeldItems`` and the tasks of their look-ups, as the worker's parts share them.
final class HeldWork: Sendable {
    private struct State: Sendable {
        var items = HeldItems()
        var tasks: [HeldItem.ID: Task<Void, Never>] = [:]
    }

    /// Signalled when there may be room for more, to each claim's loop.
    let room = ClaimPulses()
    private let state = NIOLockedValueBox(State())

    /// Everything that is held, for `AttachWorker`.
    var keys: [ItemKey] { state.withLockedValue { $0.items.keys } }

    /// Whether first look-ups are under way.
    var hasFirstLookups: Bool { state.withLockedValue { $0.items.firstLookups > 0 } }

    var count: Int { state.withLockedValue { $0.items.count } }
    /// How many items of each class are held, in the order of the classes.
    var countPerClass: [(workClass: WorkClass, count: Int)] {
        let counts = state.withLockedValue { $0.items.countPerClass }
        return WorkClass.allCases.map { ($0, counts[$0] ?? 0) }
    }

    func contains(_ id: HeldItem.ID) -> Bool { state.withLockedValue { $0.items.contains(id) } }

    func claim(_ scope: ClaimWork.Scope, within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        state.withLockedValue { $0.items.claim(scope, within: policy) }
    }

    /// Takes what the host handed out, without what is held already.
    func take(_ items: [ClaimedItem]) -> [HeldItem] {
        state.withLockedValue { state in items.compactMap { state.items.take($0) } }
    }

    /// Starts an item's look-up, unless it was dropped meanwhile.
    func start(_ held: HeldItem, _ lookup: @escaping @Sendable () async -> Void) {
        state.withLockedValue { state in
            guard state.items.contains(held.id) else { return }
            state.tasks[held.id] = Task { await lookup() }
        }
    }

    /// The look-up is over; false when its outcome is no longer wanted.
    func finish(_ id: HeldItem.ID) -> Bool {
        state.withLockedValue { state in
            state.tasks[id] = nil
            return state.items.finish(id)
        }
    }

    /// The host has confirmed the outcomes, or they are given up.
    func remove(_ ids: [HeldItem.ID]) {
        state.withLockedValue { state in
            for id in ids {
                state.items.remove(id)
                state.tasks[id] = nil
            }
        }
        room.signal()
    }

    /// Cancels the look-ups of items that the host does not want. Outcomes are delivered all the same: another worker may have the item
    /// by now, and the first success counts (jobs.md "Durability").
    func cancelLookups(of keys: [ItemKey]) {
        let keys = Set(keys)
        if !keys.isEmpty { drop { keys.contains($0.key) && !$0.isFinished } }
    }

    /// Cancels the look-ups of whole jobs, and forgets their outcomes (``WorkWithdrawn``).
    func drop(jobs: [JobID]) { drop { jobs.contains($0.key.jobId) } }

    /// Cancels every look-up that is under way and returns its item, to be handed back.
    func dropUnfinished() -> [ItemKey] { drop { !$0.isFinished } }

    @discardableResult
    private func drop(_ condition: (HeldItem) -> Bool) -> [ItemKey] {
        let (dropped, tasks) = state.withLockedValue { state in
            let dropped = state.items.removeAll(where: condition)
            return (dropped, dropped.compactMap { state.tasks.removeValue(forKey: $0.id) })
        }
        for task in tasks { task.cancel() }
        room.signal()
        return dropped.map(\.key)
    }
}
