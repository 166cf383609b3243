import BookstrackContract
import Observability
import SuiteStorage

/// Which worker holds which item, and until when (jobs.md "Work").
struct LeaseTable {
    struct Lease {
        var holder: PeerID
        var until: Duration
        /// Whether the lease is for a follow-up or a background retry of an item that already has an outcome.
        var isLater: Bool
        /// The book as requested; nil for later work, and if the worker already held the item when it attached.
        var asked: BookQuery?
    }

    /// One of a job's two kinds of leases, which are counted separately: those for first lookups or those for later work.
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

    /// Number of leases for a job's first lookups or later work, held by one worker or by all.
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

    /// Removes and returns every lease for which `condition` holds.
    mutating func removeAll(where condition: (ItemNumber, Lease) -> Bool) -> [(item: ItemNumber, lease: Lease)] {
        let gone = leases.filter { condition($0.key, $0.value) }
        for item in gone.keys { remove(item) }
        return gone.map { ($0.key, $0.value) }
    }

    /// Called after the commit: discards the undo log.
    mutating func keepChanges() { _ = undoLog.take() }

    /// Called after a failed transaction: restores the leases that the turn changed.
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

/// When jobs next have later work: one entry per job and lane, so the cost of finding due work does not depend on the number of waiting items.
///
/// A view of `item.not_before`. An entry may be too early, because when it becomes due, the database determines which items are due. It may also be
/// too late, but by no more than the pause after which ``LeasedWork`` checks a job again.
struct LaterSchedule {
    private struct Entry: Hashable {
        var job: Int64
        var lane: WorkQueue.Lane
    }

    /// The jobs and lanes; their times are durations since 1970.
    private var entries = TimerQueue<Entry>()

    /// When work may be due, in milliseconds since 1970; nil if nothing is planned.
    var next: Int64? { entries.next?.milliseconds }

    /// Plans a job's items for `due`, unless an earlier time is already planned.
    mutating func plan(_ job: Int64, _ lane: WorkQueue.Lane, at due: Int64) {
        entries.setAtLatest(Entry(job: job, lane: lane), at: .milliseconds(due))
    }

    /// Removes and returns a job that has become due; nil if there is none.
    mutating func popDue(at now: Int64) -> (job: Int64, lane: WorkQueue.Lane)? {
        entries.pop(at: .milliseconds(now)).map { ($0.job, $0.lane) }
    }
}
