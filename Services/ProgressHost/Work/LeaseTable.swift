import BookstrackContract
import Observability
import SuiteStorage

/// Which worker holds which item, and until when (jobs.md "Work").
struct LeaseTable {
    struct Lease {
        var holder: PeerID
        var until: Duration
        /// The item already has an outcome; what is leased is a follow-up or a background retry.
        var isLater: Bool
        /// What was asked; nil when the worker held the item before this process started.
        var asked: BookQuery?
    }

    /// What is counted of a job: its first lookups, or what is done later.
    private struct Share: Hashable {
        var job: Int64
        var isLater: Bool
    }

    private var leases: [ItemNumber: Lease] = [:]
    private var perJob: [Share: [PeerID: Int]] = [:]
    private var undoLog = UndoLog<ItemNumber, Lease>()

    var isEmpty: Bool { leases.isEmpty }
    var count: Int { leases.count }

    subscript(item: ItemNumber) -> Lease? { leases[item] }

    /// Leases held of a job's first lookups, or of what is done later: by one worker, or by all.
    func count(job: Int64, isLater: Bool = false, holder: PeerID? = nil) -> Int {
        guard let held = perJob[Share(job: job, isLater: isLater)] else { return 0 }
        return holder.map { held[$0] ?? 0 } ?? held.values.reduce(0, +)
    }

    mutating func add(_ item: ItemNumber, _ lease: Lease) {
        undoLog.note(item, was: leases[item])
        put(lease, at: item)
    }

    @discardableResult
    mutating func remove(_ item: ItemNumber) -> Lease? {
        guard let lease = leases[item] else { return nil }
        undoLog.note(item, was: lease)
        put(nil, at: item)
        return lease
    }

    /// Removes every lease for which `condition` holds.
    mutating func removeAll(where condition: (ItemNumber, Lease) -> Bool) -> [(item: ItemNumber, lease: Lease)] {
        let gone = leases.filter { condition($0.key, $0.value) }
        for item in gone.keys { remove(item) }
        return gone.map { ($0.key, $0.value) }
    }

    /// What the turn changed stays.
    mutating func keepChanges() { _ = undoLog.take() }

    /// What the turn changed is as it was before.
    mutating func undoChanges() {
        for (item, lease) in undoLog.take() { put(lease, at: item) }
    }

    private mutating func put(_ new: Lease?, at item: ItemNumber) {
        if let old = leases[item] { count(Share(job: item.job, isLater: old.isLater), old.holder, by: -1) }
        leases[item] = new
        if let new { count(Share(job: item.job, isLater: new.isLater), new.holder, by: 1) }
    }

    private mutating func count(_ share: Share, _ holder: PeerID, by change: Int) {
        let held = (perJob[share]?[holder] ?? 0) + change
        perJob[share, default: [:]][holder] = held > 0 ? held : nil
        if perJob[share]?.isEmpty == true { perJob[share] = nil }
    }
}

/// When jobs next have items to be done later: one entry per job and lane, so that finding what is due costs the same however many items
/// wait.
///
/// A view of `item.not_before`. An entry may be too early, never too late: the database is asked when the job's next item is really due.
struct LaterSchedule {
    private struct Entry: Hashable {
        var job: Int64
        var lane: WorkQueue.Lane
    }

    /// Times since 1970.
    private var entries = TimerQueue<Entry>()

    /// When something may be due, milliseconds since 1970; nil when nothing is planned.
    var next: Int64? { entries.next?.milliseconds }

    /// Items of a job are due at `due`, or later than one that is planned already.
    mutating func plan(_ job: Int64, _ lane: WorkQueue.Lane, at due: Int64) {
        entries.setAtLatest(Entry(job: job, lane: lane), at: .milliseconds(due))
    }

    /// Takes out a job that has become due.
    mutating func popDue(at now: Int64) -> (job: Int64, lane: WorkQueue.Lane)? {
        entries.pop(at: .milliseconds(now)).map { ($0.job, $0.lane) }
    }
}
