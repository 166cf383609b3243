import BookstrackContract
import SuiteMethods

/// The items that the worker has claimed and whose outcome the host has not confirmed.
struct HeldItems: Sendable {
    private var items: [HeldItem.ID: HeldItem] = [:]
    private var latest: [ItemKey: HeldItem.ID] = [:]
    private var lastID: UInt64 = 0
    private(set) var firstLookups = 0
    private var laterPerJob: [JobID: Int] = [:]
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

    /// The look-up is over; false when nobody wants its outcome any more.
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

    /// What may be claimed now; nil when there is no room.
    func claim(_ scope: ClaimScope, within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        switch scope {
        case .everything: claim(within: policy)
        case .interactive: interactiveClaim(within: policy)
        }
    }

    /// The host hands out first look-ups first, but counts every lease of a job: what is held of follow-ups is added, so that
    /// they do not take the place of first look-ups.
    private func claim(within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        let room = min(policy.firstLookups - firstLookups, policy.items - items.count)
        guard room >= policy.smallestClaim || (room > 0 && items.isEmpty) else { return nil }
        return ClaimWork.Parameters(
            limit: min(room, 500), perJob: policy.perJob + (laterPerJob.values.max() ?? 0),
            waitMilliseconds: policy.claimWaitMilliseconds, interactiveOnly: false)
    }

    private func interactiveClaim(within policy: WorkerPolicy) -> ClaimWork.Parameters? {
        let room = policy.interactiveReserve - max(0, firstLookups - policy.firstLookups)
        guard room > 0 else { return nil }
        return ClaimWork.Parameters(
            limit: room, perJob: policy.perJob, waitMilliseconds: policy.claimWaitMilliseconds, interactiveOnly: true)
    }

    private mutating func count(_ held: HeldItem, by change: Int) {
        countPerClass[held.item.workClass, default: 0] += change
        guard held.isLater else {
            firstLookups += change
            return
        }
        let left = (laterPerJob[held.key.jobId] ?? 0) + change
        laterPerJob[held.key.jobId] = left > 0 ? left : nil
    }
}
