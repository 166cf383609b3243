import SuiteMethods

/// The items that the worker has claimed and whose outcome the host has not confirmed.
struct HeldItems: Sendable {
    private var items: [HeldItem.ID: HeldItem] = [:]
    private var latest: [ItemKey: HeldItem.ID] = [:]
    private var lastID: UInt64 = 0
    private(set) var firstLookups = 0
    private(set) var laterItems = 0
    private(set) var countPerClass: [WorkClass: Int] = [:]

    var count: Int { items.count }
    /// What `AttachWorker` names.
    var keys: [ItemKey] { Array(latest.keys) }
    /// Items whose look-up is under way.
    var unfinished: [HeldItem] { items.values.filter { !$0.isFinished } }

    func contains(_ id: HeldItem.ID) -> Bool { items[id] != nil }

    /// Takes a claimed item. Nil when its look-up is under way: the lease ran out and came back, so the look-up just goes on.
    ///
    /// An item with an outcome is looked up again. The host may hand out its retry or follow-up before the worker has seen that
    /// the outcome is recorded.
    mutating func take(_ item: ClaimedItem) -> HeldItem? {
        if let id = latest[item.key], let held = items[id], !held.isFinished {
            return nil
        }
        lastID += 1
        let held = HeldItem(id: HeldItem.ID(number: lastID), item: item)
        items[held.id] = held
        latest[item.key] = held.id
        count(held, by: 1)
        return held
    }

    /// The look-up is over; false when its outcome is no longer wanted.
    mutating func finish(_ id: HeldItem.ID) -> Bool {
        guard items[id] != nil else { return false }
        items[id]?.isFinished = true
        return true
    }

    /// The item is done with, or not wanted any more.
    mutating func remove(_ id: HeldItem.ID) {
        guard let held = items.removeValue(forKey: id) else { return }
        if latest[held.key] == id { latest[held.key] = nil }
        count(held, by: -1)
    }

    /// Drops what `condition` holds for, and returns it.
    mutating func removeAll(where condition: (HeldItem) -> Bool) -> [HeldItem] {
        let dropped = items.values.filter(condition)
        for held in dropped { remove(held.id) }
        return dropped
    }

    /// What may be claimed now; nil when there is no room. Follow-ups and background retries have places of their own, so that first
    /// look-ups find room however many of them wait for a provider.
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

    private mutating func count(_ held: HeldItem, by change: Int) {
        countPerClass[held.item.workClass, default: 0] += change
        if held.isLater { laterItems += change } else { firstLookups += change }
    }
}

/// An item under this worker's lease.
struct HeldItem: Sendable {
    /// Names one claim of an item, so that what a later claim of the same item does is not mistaken for it.
    struct ID: Hashable, Sendable {
        let number: UInt64
    }

    let id: ID
    let item: ClaimedItem
    /// Its outcome waits to be recorded.
    var isFinished = false

    var key: ItemKey { item.key }

    /// Whether it has an outcome from before; such items come after all first look-ups.
    var isLater: Bool { item.workClass >= .followUp }
}
