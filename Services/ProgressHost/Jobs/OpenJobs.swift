import BookstrackContract
import GRDB
import NIOCore
import SuiteMethods
import SuiteStorage

/// Open jobs, cached counts and events of ended jobs, and the list of recently ended jobs.
///
/// Except for that list, this is a view of the database, rebuilt when the database is read again.
final class OpenJobs {
    private let policy: HostPolicy
    private var jobs: [Int64: ActiveJob] = [:]
    private var numbers: [JobID: Int64] = [:]
    private var endedCache = EndedJobCache()
    /// Number of items read so far to find the counts or events of jobs that are not open in memory.
    private(set) var itemsRead = 0
    /// The numbers of open jobs and items.
    private(set) var openWork = OpenWork()
    /// The numbers of the recently ended jobs, newest first, for operators; empty when the process starts.
    private var ended: [Int64] = []
    /// Maximum number of jobs in each list for operators.
    private static let listLimit = 10

    init(_ context: EngineContext) { policy = context.policy }

    var isEmpty: Bool { jobs.isEmpty }
    var count: Int { jobs.count }
    var all: [ActiveJob] { Array(jobs.values) }

    subscript(number: Int64) -> ActiveJob? { jobs[number] }

    subscript(id: JobID) -> ActiveJob? { numbers[id].flatMap { jobs[$0] } }

    /// Number of items without an outcome in a client's jobs. Goes through all open jobs.
    func openItems(of client: String) -> Int {
        jobs.values.reduce(0) { $1.row.origin.client == client ? $0 + $1.openItems : $0 }
    }

    // MARK: Opening and ending

    /// Loads an open job into memory.
    func open(_ row: JobRow, deadline: Duration, _ turn: Turn) throws -> ActiveJob {
        let items = try turn.items.states(job: row.number)
        let job = ActiveJob(row: row, deadline: deadline, items: items, policy: policy, now: turn.now)
        return keep(job, items: row.total - job.counts.processed)
    }

    /// Loads an open import into memory.
    func open(_ row: JobRow, deadline: Duration, reading: FileReading) -> ActiveJob {
        keep(ActiveJob(row: row, deadline: deadline, reading: reading, policy: policy), items: 0)
    }

    /// Loads into memory an enrichment that is waiting for its import.
    func open(_ row: JobRow, deadline: Duration, heldFor file: ImportedFile) {
        _ = keep(ActiveJob(row: row, deadline: deadline, heldFor: file, policy: policy), items: row.total)
    }

    /// Begins an enrichment that was waiting for its import, with `items` queued items; nil if it has ended.
    func submit(_ number: Int64, items: Int, now: Moment) -> ActiveJob? {
        guard let held = jobs[number] else { return nil }
        var row = held.row
        openWork.itemsAdded(items - row.total)
        row.total = items
        let queued = ActiveJob.StoredItem(state: .queued, attempts: 0, error: nil)
        let job = ActiveJob(
            row: row, deadline: held.deadline, items: Array(repeating: queued, count: items), policy: policy, now: now)
        jobs[number] = job
        return job
    }

    private func keep(_ job: ActiveJob, items: Int) -> ActiveJob {
        jobs[job.row.number] = job
        numbers[job.row.id] = job.row.number
        openWork.opened(job.row, items: items)
        return job
    }

    /// Counts items that were added to a job waiting for its import, or to an open scan.
    func itemsDrafted(_ count: Int) { openWork.itemsAdded(count) }

    /// Counts a job that has been started.
    func started(_ job: ActiveJob) { openWork.started(job.row.pipeline) }

    /// Counts items that have received an outcome.
    func itemsEnded(_ count: Int = 1) { openWork.itemsEnded(count) }

    /// Removes from memory a job that has ended or whose files never arrived.
    func remove(_ job: ActiveJob) {
        jobs[job.row.number] = nil
        numbers[job.row.id] = nil
        openWork.ended(job.row.pipeline, hadStarted: job.row.startedAt != nil)
    }

    /// Removes all jobs from memory before they are read again.
    func removeAll() {
        jobs = [:]
        numbers = [:]
        endedCache.removeAll()
        openWork = OpenWork()
    }

    /// Adds a job to the recently ended jobs.
    func list(ended job: Int64) {
        ended.insert(job, at: 0)
        if ended.count > Self.listLimit { ended.removeLast() }
    }

    // MARK: Ended jobs

    /// Changes the outcome of an item that already had one.
    func changeOutcome(of item: ItemNumber, to state: ItemState, _ error: ItemErrorCode?, _ turn: Turn) throws {
        if var counts = endedCache.counts(of: item.job), let former = try turn.items.outcome(item) {
            counts.add(former.state, former.error, items: -1)
            counts.add(state, error)
            endedCache.keep(counts, of: item.job)
        }
        try turn.items.setState(item, state, error: error, notBefore: nil)
    }

    /// Forgets the counts of an ended scan to which items were added, so they are read again when they are next needed.
    func itemsAdded(toEnded job: Int64) { endedCache.keep(nil, of: job) }

    // MARK: Reading

    /// A job's row, from memory if it is open; nil if there is no such job.
    func row(_ number: Int64, _ turn: Turn) throws -> JobRow? {
        try jobs[number]?.row ?? withItemEvents(turn.jobs.job(number: number), turn)
    }

    /// A job's row by its identifier, from memory if it is open; nil if there is no such job or its results have expired.
    func row(_ id: JobID, _ turn: Turn) throws -> JobRow? {
        if let number = numbers[id] { return jobs[number]?.row }
        return try withItemEvents(turn.jobs.job(id, at: turn.now.settled), turn)
    }

    /// Brings the last `seq` up to date for a job that is open but not in memory, because storage could not be read again.
    private func withItemEvents(_ row: JobRow?, _ turn: Turn) throws -> JobRow? {
        guard var row, row.endedAt == nil else { return row }
        row.lastSeq = try turn.jobs.lastSeq(row.number) ?? row.lastSeq
        return row
    }

    /// A job's counts, derived from its items or, for an import, from its file.
    func counts(_ row: JobRow, _ turn: Turn) throws -> JobCounts {
        if let counts = jobs[row.number]?.counts ?? endedCache.counts(of: row.number) { return counts }
        itemsRead += row.total
        let counts = try turn.jobs.counts(row)
        if row.endedAt != nil { endedCache.keep(counts, of: row.number) }
        return counts
    }

    /// The counts in a job's newest event, so they match its `seq` (streams.md "Polling"); if they are not in memory, the current counts.
    func reportedCounts(_ row: JobRow, _ turn: Turn) throws -> JobCounts {
        try jobs[row.number]?.reportedCounts ?? counts(row, turn)
    }

    /// Creates a frame composer with the job's current state.
    func composer(_ row: JobRow, _ turn: Turn) throws -> FrameComposer {
        let job = jobs[row.number]
        // After the job has been read again, its newest outcome is read, too. Otherwise, frames would contain no item until the next outcome.
        if let job, job.latest == nil, job.reading == nil, job.counts.processed > 0 {
            job.latest = try turn.items.newestOutcome(job: row.number)
        }
        let latest = try job?.latest.map { outcome in
            LatestItem(
                title: outcome.title, found: outcome.found, asked: try outcome.asked ?? turn.items.query(outcome.item))
        }
        return FrameComposer(
            job: row, counts: try counts(row, turn), now: turn.now, latest: latest, pushedStatus: job?.pushedStatus,
            reading: job?.reading, photos: job?.photos)
    }

    /// Figures about jobs for operators, from memory; without the recently ended jobs.
    func figures() -> HostFigures.Jobs {
        var figures = HostFigures.Jobs()
        for job in jobs.values {
            if job.row.status == .pending { figures.pending += 1 } else { figures.processing += 1 }
            switch job.lane(interactiveLimit: policy.interactiveLimit) {
            case .high: figures.waitingInteractive += job.waitingItems
            default: figures.waitingBulk += job.waitingItems
            }
        }
        let oldest = jobs.keys.sorted().prefix(Self.listLimit).compactMap { jobs[$0] }
        figures.oldestOpen = oldest.map { JobFigure($0.row, $0.counts) }
        return figures
    }

    /// The recently ended jobs that are still stored. Retries may have changed their outcomes since they ended.
    ///
    /// The list is empty if it cannot be read, because that must not fail the other commands of the group. Only an error with which SQLite has ended
    /// the transaction is thrown (sqlite.org/lang_transaction.html): otherwise, each of the group's later statements would be committed on its own.
    func recentlyEnded(_ turn: Turn) throws -> [JobFigure] {
        do {
            return try ended.compactMap { number in try row(number, turn).map { JobFigure($0, try counts($0, turn)) } }
        } catch _ where turn.db.isInsideTransaction {
            return []
        }
    }

    // MARK: Events

    /// Numbers and creates a job's next event (websocket.md "Job events"). The caller stores it.
    func nextEvent(
        _ kind: EventKind, of job: ActiveJob, _ turn: Turn, _ compose: (FrameComposer) throws -> ByteBuffer
    ) throws -> NewJobEvent {
        job.row.lastSeq += 1
        job.row.lastUpdate = turn.now.wall
        job.lastFrameAt = turn.now.uptime
        job.reportedCounts = job.counts
        try prune(job, turn)
        let composer = try composer(job.row, turn)
        let stored = StoredEvent(
            seq: job.row.lastSeq, at: turn.now.wall, kind: kind, frame: try compose(composer))
        return NewJobEvent(stored: stored, composer: composer)
    }

    /// Stores the event that reports an item's outcome as a row of its own if its `seq` is a multiple of ``StoredEvent/ownInterval``; otherwise
    /// returns the event, to be stored with the item.
    func place(_ event: StoredEvent, of item: ItemNumber, _ job: ActiveJob, _ turn: Turn) throws -> StoredEvent? {
        guard !event.seq.isMultiple(of: StoredEvent.ownInterval) else {
            try turn.jobs.appendEvent(event, job: item.job)
            return nil
        }
        job.outcomeEvents.add(seq: event.seq, index: item.index)
        return event
    }

    /// A job's events after `seq` in order, at most `limit`.
    func events(of row: JobRow, after seq: Int, limit: Int, _ turn: Turn) throws -> [StoredEvent] {
        guard seq < row.lastSeq else { return [] }
        return try turn.jobs.events(job: row.number, after: seq, limit: limit) { try outcomeEvents(of: row, turn) }
    }

    /// The events that are stored with a job's items; only those that are still replayed.
    private func outcomeEvents(of row: JobRow, _ turn: Turn) throws -> OutcomeEvents {
        if let events = jobs[row.number]?.outcomeEvents ?? endedCache.events(of: row.number) { return events }
        itemsRead += row.total
        let events = try turn.items.outcomeEvents(job: row.number, after: row.recoverableFrom)
        if row.endedAt != nil { endedCache.keep(events, of: row.number) }
        return events
    }

    /// The events of a running job that a first connection receives: its start, its newest progress and, for a batch of photos, the start and the
    /// newest progress of the batch.
    func beginning(of row: JobRow, _ turn: Turn) throws -> [StoredEvent] {
        guard row.lastSeq > 0 else { return [] }
        let newest = try jobs[row.number]?.outcomeEvents.newest.flatMap {
            try turn.items.event(ItemNumber(job: row.number, index: $0.index))
        }
        return try turn.jobs.beginning(of: row, newestOutcome: newest)
    }

    /// Limits the number of a job's events that can be replayed (``HostPolicy/eventsKept``).
    private func prune(_ job: ActiveJob, _ turn: Turn) throws {
        let oldest = job.row.recoverableFrom
        guard job.row.lastSeq - oldest > policy.eventsKept + policy.eventsKept / 4 else { return }
        job.row.recoverableFrom = job.row.lastSeq - policy.eventsKept
        job.outcomeEvents.drop(through: job.row.recoverableFrom)
        try turn.jobs.dropEvents(job: job.row.number, through: job.row.recoverableFrom)
    }
}

/// A job's new event, and the state that it reports.
struct NewJobEvent {
    let stored: StoredEvent
    let composer: FrameComposer
}

extension ActiveJob {
    /// The job's progress for the log.
    var technicalProgress: String {
        if let reading { return StatusText.technicalProgress(reading.phase, percentage: counts.percentage) }
        return StatusText.technicalProgress(
            title: latest?.title ?? "", found: latest?.found ?? true, processed: counts.processed, total: counts.total)
    }
}

extension JobFigure {
    fileprivate init(_ row: JobRow, _ counts: JobCounts) {
        self.init(
            jobId: row.id, status: row.status, processed: counts.processed, failed: counts.failed, total: counts.total,
            createdAt: row.createdAt, endedAt: row.endedAt)
    }
}
