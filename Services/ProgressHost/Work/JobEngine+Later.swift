import BookstrackContract
import Observability
import SuiteMethods
import SuiteStorage

// Items that are done after they have an outcome: follow-ups, background retries, retries on request (jobs.md "Retries").
extension JobEngine {
    /// Jobs that become due in one turn; more wait for the next.
    private static let dueJobsPerTurn = 1_000
    /// Pause before a job is looked at again whose due items are all under lease.
    private static let crowdedPause = Duration.milliseconds(200)

    /// Items of a job are due at `due`.
    func planLater(_ job: JobRow, _ lane: WorkQueue.Lane, at due: Int64, _ turn: Turn) {
        guard due > turn.now.settled else { return queue.add(job.number, of: job.origin.client, to: lane) }
        later.plan(job.number, lane, at: due)
        armLater(turn)
    }

    /// Puts jobs into the queue whose items have become due, and wakes the engine for the next ones.
    func queueDueJobs(_ turn: Turn) throws {
        for _ in 0..<Self.dueJobsPerTurn {
            guard let (job, lane) = later.popDue(at: turn.now.settled) else { break }
            queue.add(job, of: try turn.later.client(ofJob: job), to: lane)
        }
        armLater(turn)
    }

    private func armLater(_ turn: Turn) {
        if let next = later.next { timers.setAtLatest(.later, at: turn.now.uptime(atWall: next)) }
    }

    /// Reads when which job's items are due.
    func reloadLater(_ turn: Turn) throws {
        later = LaterSchedule()
        for (job, state, due) in try turn.later.earliest() {
            later.plan(job, state == .succeeded ? .followUp : .backgroundRetry, at: due)
        }
        armLater(turn)
    }

    /// Leases due items of a job, the longest waiting first.
    func takeLater(
        _ limit: Int, of number: Int64, _ lane: WorkQueue.Lane, _ claim: WorkerPeer.Claim, for peer: PeerID,
        _ room: inout ClaimRoom, _ turn: Turn
    ) throws -> (items: [ClaimedItem], rest: WorkQueue.Rest) {
        guard let row = try row(number, turn) else { return ([], .nothing) }
        let held = leases.count(job: number, isLater: true)
        let places = min(limit, claim.perJob - leases.count(job: number, isLater: true, holder: peer))
        guard places > 0 else { return ([], .items) }
        let state: ItemState = lane == .followUp ? .succeeded : .failed
        // Items that a worker kept over a restart are under lease and due at once; behind all of them there is one more.
        let due = try turn.later.due(job: number, state, at: turn.now.settled, limit: places + held + 1)
        var items: [ClaimedItem] = []
        for (item, round) in due where leases[item] == nil {
            guard items.count < places else { return (items, .items) }
            guard let query = try turn.items.query(item) else { continue }
            guard room.take(query) else { return (items, .claimIsFull) }
            // Out of sight while it is under lease; it comes back by itself if the lease is lost with this process.
            try turn.later.postpone(item, until: turn.now.settled + policy.leaseLimit.milliseconds, round: round)
            lease(item, to: peer, isLater: true, turn)
            items.append(
                ClaimedItem(
                    key: ItemKey(jobId: row.id, index: item.index), query: query, workClass: lane.workClass,
                    attempts: round, client: row.origin.client, trace: row.trace))
        }
        if let next = try turn.later.nextDue(job: number, state) {
            later.plan(number, lane, at: max(next, turn.now.settled + Self.crowdedPause.milliseconds))
            armLater(turn)
        }
        return (items, .nothing)
    }
}

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
