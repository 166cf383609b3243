/// When jobs next have items to be done later: one entry per job and lane, so that finding what is due costs the same however many items
/// wait.
///
/// A view of `item.not_before`. An entry may be too early, never too late: whoever takes it out asks the database when the job's next item
/// is really due.
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
