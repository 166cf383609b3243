import BookstrackContract
import NIOConcurrencyHelpers
import SuiteMethods

/// The ``LeasedItemTable`` and the tasks of its lookups, shared by the worker's parts.
final class LeasedItems: Sendable {
    private struct State: Sendable {
        var items = LeasedItemTable()
        var tasks: [LeasedItem.ID: Task<Void, Never>] = [:]
    }

    /// Signals the claim loops when there may be room for more items.
    let room = ClaimSignals()
    private let state = NIOLockedValueBox(State())

    /// The keys of all leased items, for `AttachWorker`.
    var keys: [ItemKey] { state.withLockedValue { $0.items.keys } }

    /// Whether any first lookups are leased.
    var hasFirstLookups: Bool { state.withLockedValue { $0.items.firstLookups > 0 } }

    var count: Int { state.withLockedValue { $0.items.count } }
    /// The number of leased items of each class, in order of priority.
    var countPerClass: [(workClass: WorkClass, count: Int)] {
        let counts = state.withLockedValue { $0.items.countPerClass }
        return WorkClass.allCases.map { ($0, counts[$0] ?? 0) }
    }

    func contains(_ id: LeasedItem.ID) -> Bool { state.withLockedValue { $0.items.contains(id) } }

    func claim(_ scope: ClaimWork.Scope, within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        state.withLockedValue { $0.items.claim(scope, within: policy) }
    }

    /// Adds the items handed out by the host, except those whose lookup is in progress.
    func take(_ items: [ClaimedItem]) -> [LeasedItem] {
        state.withLockedValue { state in items.compactMap { state.items.take($0) } }
    }

    /// Starts an item's lookup, unless the item has been dropped in the meantime.
    func start(_ leased: LeasedItem, _ lookup: @escaping @Sendable () async -> Void) {
        state.withLockedValue { state in
            guard state.items.contains(leased.id) else { return }
            state.tasks[leased.id] = Task { await lookup() }
        }
    }

    /// Marks a lookup as finished; false if its outcome is no longer needed.
    func finish(_ id: LeasedItem.ID) -> Bool {
        state.withLockedValue { state in
            state.tasks[id] = nil
            return state.items.finish(id)
        }
    }

    /// Removes items whose outcomes the host has confirmed or refused for good, or whose lookups were withdrawn or released.
    func remove(_ ids: [LeasedItem.ID]) {
        state.withLockedValue { state in
            for id in ids {
                state.items.remove(id)
                state.tasks[id] = nil
            }
        }
        room.signal()
    }

    /// Cancels the lookups of items that the host no longer accepts. Outcomes of lookups that have already finished are still
    /// delivered: even if another worker has the item by now, the first success counts (jobs.md "Durability").
    func cancelLookups(of keys: [ItemKey]) {
        let keys = Set(keys)
        if !keys.isEmpty { drop { keys.contains($0.key) && !$0.isFinished } }
    }

    /// Cancels the lookups of whole jobs and drops their outcomes (``WorkWithdrawn``).
    func drop(jobs: [JobID]) { drop { jobs.contains($0.key.jobId) } }

    /// Cancels all lookups in progress and returns their items, so they can be released.
    func dropUnfinished() -> [ItemKey] { drop { !$0.isFinished } }

    @discardableResult
    private func drop(_ condition: (LeasedItem) -> Bool) -> [ItemKey] {
        let (dropped, tasks) = state.withLockedValue { state in
            let dropped = state.items.removeAll(where: condition)
            return (dropped, dropped.compactMap { state.tasks.removeValue(forKey: $0.id) })
        }
        for task in tasks { task.cancel() }
        room.signal()
        return dropped.map(\.key)
    }
}

/// The items that the worker has claimed and whose outcomes the host has not confirmed.
struct LeasedItemTable: Sendable {
    private var items: [LeasedItem.ID: LeasedItem] = [:]
    private var latest: [ItemKey: LeasedItem.ID] = [:]
    private var lastID: UInt64 = 0
    private(set) var firstLookups = 0
    private(set) var laterItems = 0
    private(set) var countPerClass: [WorkClass: Int] = [:]

    var count: Int { items.count }
    /// The items that `AttachWorker` reports.
    var keys: [ItemKey] { Array(latest.keys) }
    func contains(_ id: LeasedItem.ID) -> Bool { items[id] != nil }

    /// Adds a claimed item. Returns nil if its lookup is in progress: the lease expired and the item was claimed again, so the lookup simply
    /// continues.
    ///
    /// An item with an outcome is looked up again, because the host may hand out its retry or follow-up before the worker has been informed that the
    /// outcome was recorded.
    mutating func take(_ item: ClaimedItem) -> LeasedItem? {
        if let id = latest[item.key], let leased = items[id], !leased.isFinished {
            return nil
        }
        lastID += 1
        let leased = LeasedItem(id: LeasedItem.ID(number: lastID), item: item)
        items[leased.id] = leased
        latest[item.key] = leased.id
        count(leased, by: 1)
        return leased
    }

    /// Marks a lookup as finished; false if its outcome is no longer needed.
    mutating func finish(_ id: LeasedItem.ID) -> Bool {
        guard items[id] != nil else { return false }
        items[id]?.isFinished = true
        return true
    }

    /// Removes an item that is finished or no longer needed.
    mutating func remove(_ id: LeasedItem.ID) {
        guard let leased = items.removeValue(forKey: id) else { return }
        if latest[leased.key] == id { latest[leased.key] = nil }
        count(leased, by: -1)
    }

    /// Removes and returns the items for which `condition` is true.
    mutating func removeAll(where condition: (LeasedItem) -> Bool) -> [LeasedItem] {
        let dropped = items.values.filter(condition)
        for leased in dropped { remove(leased.id) }
        return dropped
    }

    /// The claim to make now; nil if there is too little room. Follow-ups and background retries have their own limit, so first lookups find room
    /// even if many later items are waiting for a provider.
    func claim(_ scope: ClaimWork.Scope, within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        let (room, smallest) =
            switch scope {
            case .firstLookups: (policy.firstLookups - firstLookups, firstLookups == 0 ? 1 : policy.minClaim)
            case .interactive: (policy.interactiveReserve - max(0, firstLookups - policy.firstLookups), 1)
            case .later: (policy.laterItems - laterItems, laterItems == 0 ? 1 : policy.minClaim)
            }
        guard room >= smallest else { return nil }
        return ClaimWork.Parameters(
            limit: min(room, 500), perJob: policy.perJob, waitMilliseconds: policy.claimWaitMilliseconds, scope: scope)
    }

    private mutating func count(_ leased: LeasedItem, by change: Int) {
        countPerClass[leased.item.workClass, default: 0] += change
        if leased.isLater { laterItems += change } else { firstLookups += change }
    }
}

/// An item leased to this worker.
struct LeasedItem: Sendable {
    /// Identifies one claim of an item, as distinct from a later claim of the same item.
    struct ID: Hashable, Sendable {
        let number: UInt64
    }

    let id: ID
    let item: ClaimedItem
    /// Whether the item's outcome is waiting to be recorded.
    var isFinished = false

    var key: ItemKey { item.key }

    /// Whether the item already has an outcome; such items are served after all first lookups.
    var isLater: Bool { item.workClass >= .followUp }
}
