import BookstrackContract
import Observability
import SuiteMethods

extension JobEngine {
    /// Returns a job's state (`GET /v1/jobs/{jobId}`).
    func state(_ access: JobAccess, _ turn: Turn) throws -> JobState {
        let (number, token) = try tokens.authorize(access, turn)
        guard let row = try jobs.row(number, turn) else { throw HostFailure.unauthorized }
        let counts = try jobs.reportedCounts(row, turn)
        var state = JobState(
            jobId: row.id, pipeline: row.pipeline, totalCount: counts.total, createdAt: Self.iso(row.createdAt))
        state.source = row.source
        state.status = row.status
        state.progress = try shownProgress(row, counts, turn)
        state.processedCount = counts.processed
        state.successCount = row.isImportWithoutRows ? 0 : counts.succeeded
        state.failureCount = counts.withoutResult
        state.failureCounts = counts.failures.ifAny
        state.laterRetries = try laterRetries(of: row, turn)
        state.waitingFor = isWaitingForWorker(row) ? ServiceName.enrichmentWorker.rawValue : nil
        state.startedAt = row.startedAt.map(Self.iso)
        state.endedAt = row.endedAt.map(Self.iso)
        state.expiresAt = row.expiresAt.map(Self.iso)
        state.lastSeq = row.lastSeq
        state.delivered = tokens.delivered(token)
        state.resultsRevision = row.resultsRevision
        state.pollAfterMs = row.status.isTerminal ? nil : JobState.pollPause
        return state
    }

    /// The progress of a job as shown in its frames: a scan's progress begins with its photos, when there are no items yet. If photos are read again
    /// after the scan, its progress no longer changes.
    private func shownProgress(_ row: JobRow, _ counts: JobCounts, _ turn: Turn) throws -> Double {
        guard row.pipeline == .aiScan, row.status != .completed, row.status != .failed,
            let scan = try turn.scans.scan(row)
        else { return counts.progress }
        return PhotoProgress(scan).progress(counts)
    }

    /// A job's progress, counts and status, for callers that may have only its identifier.
    func progress(_ access: JobAccess, _ turn: Turn) throws -> ReadJobProgress.Result {
        let number = try tokens.authorizeByIdentifier(access, turn)
        guard let row = try jobs.row(number, turn) else { throw HostFailure.unauthorized }
        let counts = try jobs.counts(row, turn)
        return ReadJobProgress.Result(
            jobId: row.id, pipeline: row.pipeline, status: row.status, progress: try shownProgress(row, counts, turn),
            processedCount: counts.processed, totalCount: counts.total)
    }

    /// The retries of an ended job that are planned or in progress; nil if there are none.
    private func laterRetries(of row: JobRow, _ turn: Turn) throws -> JobState.LaterRetries? {
        guard row.endedAt != nil, let planned = try turn.later.plannedRetries(job: row.number) else { return nil }
        return JobState.LaterRetries(
            count: planned.count, nextAt: Self.iso(turn.now.wall(atSettled: max(planned.next, turn.now.settled))))
    }

    /// Whether an open job cannot proceed because no worker is attached.
    private func isWaitingForWorker(_ row: JobRow) -> Bool { !row.status.isTerminal && work.workerCount == 0 }

    private static func iso(_ milliseconds: Int64) -> String {
        ISO8601Milliseconds.string(fromMilliseconds: milliseconds)
    }

    /// Figures about jobs for operators, from memory; without the recently ended jobs.
    func figures(at now: Moment) -> HostFigures.Jobs {
        var figures = jobs.figures()
        figures.leased = work.leaseCount
        figures.workers = work.workerCount
        figures.sockets = streams.count
        figures.nextLaterAt = work.nextLater(now)
        return figures
    }
}
