import BookstrackContract
import SuiteMethods
import SuiteStorage

/// An open job in memory, rebuilt from the stored row and the states of the items when the database is read again.
final class ActiveJob {
    var row: JobRow
    /// The uptime at which the job runs out of time. Unlike the stored deadline, it is not affected by later jumps of the wall clock.
    let deadline: Duration
    private(set) var counts: JobCounts
    private var states: [ItemState]
    private var attempts: [UInt8]
    /// Items to hand out, in order. Entries that are no longer open are skipped.
    private var ready: [Int] = []
    private var readyHead = 0
    /// Leased items, and items waiting for their next attempt.
    private var away: Set<Int> = []
    var throttle: ProgressThrottle
    /// The newest outcome; nil before the first one, and after the job has been read again until a frame needs it.
    var latest: LatestOutcome?
    /// Status text from `pushProgress`, used until the job's own progress changes (Services/README.md "JSON-RPC").
    var pushedStatus: String?
    /// The counts in the newest event; nil before the first event, and after the job has been read again until the next event.
    var reportedCounts: JobCounts?
    /// When the last event or keep-alive was sent to watchers; nil before the first one, after the job has been read again, and if some watchers may
    /// have missed it.
    var lastFrameAt: Duration?
    /// Whether the end of the job has begun or is scheduled.
    var isEnding = false
    /// The state of an import's file; nil for other jobs.
    private(set) var reading: FileReading?
    /// The photos of a scan; nil for other jobs.
    var photos: PhotoProgress?
    /// Whether the job is waiting for the import that creates its items (imports.md "Linked enrichment").
    let isHeld: Bool
    /// Whether the job ends as failed because the import that it waited for has failed.
    var failsWithImport = false
    /// How far the end of the job has progressed in the database: no item below this index is still open.
    var endedPlaces = 0
    /// The events stored with the job's items; only those that may still be replayed.
    var outcomeEvents = OutcomeEvents()
    /// Totals over the measures of the job's results; nil before the first measured result.
    private(set) var measures: RollupSums?

    /// The newest outcome among the job's items.
    struct LatestOutcome {
        var item: ItemNumber
        var title: String
        var found: Bool
        /// The book as requested; if nil, it is read when a frame is created.
        var asked: BookQuery?
    }

    /// The stored state of an item.
    struct StoredItem {
        var state: ItemState
        var attempts: Int
        var error: ItemErrorCode?
        var measure: ResultMeasure?
        /// `seq` and time of the event stored with the item.
        var eventSeq: Int?
        var eventAt: Int64?
    }

    init(row: JobRow, deadline: Duration, items: [StoredItem], policy: HostPolicy, now: Moment) {
        self.row = row
        self.deadline = deadline
        isHeld = false
        states = items.map(\.state)
        attempts = items.map { UInt8(clamping: $0.attempts) }
        counts = JobCounts(total: row.total)
        throttle = ProgressThrottle(interval: policy.progressInterval, total: row.total)
        for (index, state) in states.enumerated() {
            counts.add(state, items[index].error)
            if state == .queued { ready.append(index) }
            measured(items[index].measure)
        }
        takeEvents(of: items)
        let isUnderWay = counts.processed > 0 && counts.processed < row.total
        throttle = ProgressThrottle(
            interval: policy.progressInterval, total: row.total, processed: counts.processed,
            heldSince: isUnderWay ? now.uptime : nil)
    }

    private func takeEvents(of items: [StoredItem]) {
        outcomeEvents = OutcomeEvents(
            items.enumerated().compactMap { index, item in item.eventSeq.map { .init(seq: $0, index: index) } },
            replayedAfter: row.recoverableFrom)
        row.lastSeq = max(row.lastSeq, outcomeEvents.newest?.seq ?? 0)
        row.lastUpdate = items.reduce(row.lastUpdate) { max($0, $1.eventAt ?? 0) }
    }

    /// Creates an import, with counts derived from its file.
    init(row: JobRow, deadline: Duration, reading: FileReading, policy: HostPolicy) {
        self.row = row
        self.deadline = deadline
        self.reading = reading
        isHeld = false
        (states, attempts) = ([], [])
        counts = reading.counts
        throttle = ProgressThrottle(
            interval: policy.progressInterval, total: counts.total, processed: counts.processed)
    }

    /// Creates an enrichment that is waiting for its import. Until its items are known, its total is the estimated number of rows.
    init(row: JobRow, deadline: Duration, heldFor file: ImportedFile, policy: HostPolicy) {
        self.row = row
        self.deadline = deadline
        isHeld = true
        (states, attempts) = ([], [])
        counts = file.counts(bytesRead: 0)
        throttle = ProgressThrottle(interval: policy.progressInterval, total: counts.total)
    }

    /// The job's lane: that of its priority or, if none was set, that of its size (jobs.md "Work").
    func lane(interactiveLimit: Int) -> WorkQueue.Lane {
        switch row.origin.priority {
        case .high: .high
        case .normal: .normal
        case .low: .low
        case nil: row.total <= interactiveLimit ? .high : .normal
        }
    }

    /// Whether the states of the job's items are in memory, that is, the job is neither an import nor waiting for one.
    private var hasItems: Bool { reading == nil && !isHeld }
    var allItemsEnded: Bool { hasItems && photos?.isOver != false && counts.processed == row.total }
    var hasReadyItems: Bool { readyHead < ready.count }
    /// Stored items without an outcome.
    var openItems: Int { hasItems ? row.total - counts.processed - counts.skipped : row.total }
    /// Items without an outcome that are neither leased nor waiting for their next attempt.
    var waitingItems: Int { hasItems ? openItems - away.count : 0 }

    func state(of index: Int) -> ItemState? { states.indices.contains(index) ? states[index] : nil }
    func attempts(of index: Int) -> Int { Int(attempts[index]) }

    /// Takes the next item to hand out and those with consecutive indexes after it, at most `limit` in total; nil if there is none.
    func takeReady(atMost limit: Int) -> ClosedRange<Int>? {
        guard limit > 0, let first = takeReady() else { return nil }
        var last = first
        while last - first + 1 < limit, readyHead < ready.count, ready[readyHead] == last + 1,
            states[last + 1] == .queued, away.insert(last + 1).inserted
        {
            last += 1
            readyHead += 1
        }
        return first...last
    }

    private func takeReady() -> Int? {
        while readyHead < ready.count {
            let index = ready[readyHead]
            readyHead += 1
            if readyHead > 1_024, readyHead * 2 > ready.count {
                ready.removeFirst(readyHead)
                readyHead = 0
            }
            if states[index] == .queued, away.insert(index).inserted { return index }
        }
        return nil
    }

    /// Puts back items that were just taken but not handed out, so they will be taken next.
    func untake(_ indexes: ClosedRange<Int>) {
        ready.insert(contentsOf: indexes.filter { away.remove($0) != nil && states[$0] == .queued }, at: readyHead)
    }

    /// Takes a given item for a worker that already has it; false if it is not available.
    func take(_ index: Int) -> Bool {
        state(of: index) == .queued && away.insert(index).inserted
    }

    /// Puts back an item, behind the others to hand out, unless it has an outcome.
    func putBack(_ index: Int) {
        guard away.remove(index) != nil, states[index] == .queued else { return }
        ready.append(index)
    }

    /// Records a failed attempt and returns the item's number of failed attempts; the item is withheld until `putBack`.
    func noteFailedAttempt(_ index: Int) -> Int {
        attempts[index] = attempts[index] &+ 1
        return Int(attempts[index])
    }

    /// Sets an item's outcome; only the first one counts.
    func end(_ index: Int, as state: ItemState, _ error: ItemErrorCode?) {
        guard states[index] == .queued, state.isTerminal else { return }
        away.remove(index)
        states[index] = state
        counts.add(state, error)
    }

    /// Counts the quality of a result, replacing the item's previous result.
    func measured(_ measure: ResultMeasure?, insteadOf previous: ResultMeasure? = nil) {
        guard let measure else { return }
        measures.add(measure, insteadOf: previous)
    }

    /// Ends every open item.
    func endOpenItems(as state: ItemState, _ error: ItemErrorCode) {
        for index in states.indices where states[index] == .queued { end(index, as: state, error) }
    }

    /// Adds the items found in a photo.
    func add(items count: Int, interval: Duration) {
        let first = states.count
        states += Array(repeating: .queued, count: count)
        attempts += Array(repeating: 0, count: count)
        ready += first..<states.count
        row.total += count
        counts.total = row.total
        throttle = ProgressThrottle(interval: interval, total: row.total, processed: counts.processed)
    }

    /// Records how much of an import's file has been read.
    func read(_ bytes: Int, _ phase: ImportPhase) {
        guard var reading else { return }
        reading.bytesRead = bytes
        reading.phase = phase
        self.reading = reading
        counts = reading.counts
    }

    /// Sets the counts of an import whose file has been read.
    func settle(_ counts: JobCounts) { self.counts = counts }
}

extension JobCounts {
    /// Adds items with an outcome, or removes them if their number is negative.
    mutating func add(_ state: ItemState, _ error: ItemErrorCode?, items: Int = 1) {
        if let error { failures[error] += items }
        switch state {
        case .succeeded: succeeded += items
        case .failed: failed += items
        case .skipped: skipped += items
        case .queued: break
        }
    }
}
