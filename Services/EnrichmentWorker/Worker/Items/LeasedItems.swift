import BookstrackContract
import NIOConcurrencyHelpers
import SuiteMethods

/// ``LeasedItemTable`` and the tasks of their lookups, as the worker's parts share them.
final class LeasedItems: Sendable {
    private struct State: Sendable {
        var items = LeasedItemTable()
        var tasks: [LeasedItem.ID: Task<Void, Never>] = [:]
    }

    /// Signalled when there may be room for more, to each claim's loop.
    let room = ClaimSignals()
    private let state = NIOLockedValueBox(State())

    /// Everything that is leased, for `AttachWorker`.
    var keys: [ItemKey] { state.withLockedValue { $0.items.keys } }

    /// Whether first lookups are under way.
    var hasFirstLookups: Bool { state.withLockedValue { $0.items.firstLookups > 0 } }

    var count: Int { state.withLockedValue { $0.items.count } }
    /// How many items of each class are leased, in the order of the classes.
    var countPerClass: [(workClass: WorkClass, count: Int)] {
        let counts = state.withLockedValue { $0.items.countPerClass }
        return WorkClass.allCases.map { ($0, counts[$0] ?? 0) }
    }

    func contains(_ id: LeasedItem.ID) -> Bool { state.withLockedValue { $0.items.contains(id) } }

    func claim(_ scope: ClaimWork.Scope, within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        state.withLockedValue { $0.items.claim(scope, within: policy) }
    }

    /// Takes what the host handed out, without what is leased already.
    func take(_ items: [ClaimedItem]) -> [LeasedItem] {
        state.withLockedValue { state in items.compactMap { state.items.take($0) } }
    }

    /// Starts an item's lookup, unless it was dropped meanwhile.
    func start(_ leased: LeasedItem, _ lookup: @escaping @Sendable () async -> Void) {
        state.withLockedValue { state in
            guard state.items.contains(leased.id) else { return }
            state.tasks[leased.id] = Task { await lookup() }
        }
    }

    /// The lookup is over; false when its outcome is no longer wanted.
    func finish(_ id: LeasedItem.ID) -> Bool {
        state.withLockedValue { state in
            state.tasks[id] = nil
            return state.items.finish(id)
        }
    }

    /// The host has confirmed the outcomes, or they are given up.
    func remove(_ ids: [LeasedItem.ID]) {
        state.withLockedValue { state in
            for id in ids {
                state.items.remove(id)
                state.tasks[id] = nil
            }
        }
        room.signal()
    }

    /// Cancels the lookups of items that the host does not want. Outcomes are delivered anyway: another worker may have the item
    /// by now, and the first success counts (jobs.md "Durability").
    func cancelLookups(of keys: [ItemKey]) {
        let keys = Set(keys)
        if !keys.isEmpty { drop { keys.contains($0.key) && !$0.isFinished } }
    }

    /// Cancels the lookups of whole jobs, and forgets their outcomes (``WorkWithdrawn``).
    func drop(jobs: [JobID]) { drop { jobs.contains($0.key.jobId) } }

    /// Cancels every lookup that is under way and returns its item, to be handed back.
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

/// The items that the worker has claimed and whose outcome the host has not confirmed.
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
    /// Items whose lookup is under way.
    var unfinished: [LeasedItem] { items.values.filter { !$0.isFinished } }

    func contains(_ id: LeasedItem.ID) -> Bool { items[id] != nil }

    /// Takes a claimed item. Nil when its lookup is under way: the lease expired and the item was claimed again, so its lookup just continues.
    ///
    /// An item with an outcome is looked up again. The host may hand out its retry or follow-up before the worker has seen that
    /// the outcome is recorded.
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

    /// The lookup is over; false when its outcome is no longer wanted.
    mutating func finish(_ id: LeasedItem.ID) -> Bool {
        guard items[id] != nil else { return false }
        items[id]?.isFinished = true
        return true
    }

    /// The item is finished, or no longer wanted.
    mutating func remove(_ id: LeasedItem.ID) {
        guard let leased = items.removeValue(forKey: id) else { return }
        if latest[leased.key] == id { latest[leased.key] = nil }
        count(leased, by: -1)
    }

    /// Drops what `condition` holds for, and returns it.
    mutating func removeAll(where condition: (LeasedItem) -> Bool) -> [LeasedItem] {
        let dropped = items.values.filter(condition)
        for leased in dropped { remove(leased.id) }
        return dropped
    }

    /// What may be claimed now; nil when there is no room. Follow-ups and background retries have places of their own, so that first
    /// lookups find room however many of them wait for a provider.
    func claim(_ scope: ClaimWork.Scope, within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        let (room, smallest) =
            switch scope {
            case .firstLookups: (policy.firstLookups - firstLookups, firstLookups == 0 ? 1 : policy.smallestClaim)
            case .interactive: (policy.interactiveReserve - max(0, firstLookups - policy.firstLookups), 1)
            case .later: (policy.laterItems - laterItems, laterItems == 0 ? 1 : policy.smallestClaim)
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

/// An item under this worker's lease.
struct LeasedItem: Sendable {
    /// Names one claim of an item, so that what a later claim of the same item does is not mistaken for it.
    struct ID: Hashable, Sendable {
        let number: UInt64
    }

    let id: ID
    let item: ClaimedItem
    /// Its outcome waits to be recorded.
    var isFinished = false

    var key: ItemKey { item.key }

    /// Whether it has an outcome from before; such items come after all first lookups.
    var isLater: Bool { item.workClass >= .followUp }
}
