import BookstrackContract
import GRDB
import Observability
import SuiteMethods
import SuiteStorage

/// A job as stored, without its counts, which are always derived from its items.
struct JobRow: Sendable {
    var number: Int64
    var id: JobID
    var pipeline: Pipeline
    var status: JobStatus
    var digest: String
    var total: Int
    /// Milliseconds since 1970, as every time here.
    var createdAt: Int64
    var startedAt: Int64?
    var endedAt: Int64?
    var expiresAt: Int64?
    var deadlineAt: Int64
    var lastSeq: Int
    /// Events after this `seq` are all kept.
    var recoverableFrom: Int
    var lastUpdate: Int64
    var resultsRevision: Int
    /// The request that started it; nil of jobs that were started before requests had traces.
    var trace: TraceContext?
    /// Where its start came from; `shownToken` is never stored. Empty of jobs that were started before it was kept.
    var origin = JobOrigin()

    /// What a row is read from, of the table `job`.
    static let columns = """
        number, job_id, pipeline, status, digest, total, created_at, started_at, ended_at, expires_at, deadline_at, \
        \(JobSequence.lastSQL) AS last_seq, \
        coalesce((SELECT at FROM event WHERE event.job = job.number ORDER BY seq DESC LIMIT 1), created_at) AS last_update, \
        recoverable_from, results_revision, trace_id, request_id, client, priority, completion_books
        """

    /// Whether two events tell the end: that a scan failed comes before its `error` (spec/03 "Payloads").
    var isFailedScan: Bool { status == .failed && pipeline == .aiScan }

    /// What is said of a job that is not there yet.
    init(awaited id: JobID, now: Int64) {
        self.id = id
        (number, total, lastSeq, recoverableFrom, resultsRevision) = (0, 0, 0, 0, 0)
        (pipeline, status, digest) = (.batchEnrichment, .pending, "")
        (createdAt, deadlineAt, lastUpdate) = (now, now, now)
    }

    /// Reads a row of `columns`; nil when an identifier or a state is not one this program knows.
    init?(_ row: Row) {
        guard let id = JobID(row["job_id"] as String), let pipeline = Pipeline(rawValue: row["pipeline"]),
            let status = JobStatus(rawValue: row["status"])
        else { return nil }
        self.id = id
        self.pipeline = pipeline
        self.status = status
        number = row["number"]
        digest = row["digest"]
        total = row["total"]
        createdAt = row["created_at"]
        startedAt = row["started_at"]
        endedAt = row["ended_at"]
        expiresAt = row["expires_at"]
        deadlineAt = row["deadline_at"]
        lastSeq = row["last_seq"]
        recoverableFrom = row["recoverable_from"]
        lastUpdate = row["last_update"]
        resultsRevision = row["results_revision"]
        trace = (row["trace_id"] as String?).flatMap { TraceContext(traceID: $0, requestID: row["request_id"]) }
        origin.client = row["client"] ?? ""
        origin.priority = (row["priority"] as String?).flatMap(JobOrigin.Priority.init)
        origin.completionBooks = (row["completion_books"] as String?).flatMap(JobOrigin.CompletionBooks.init) ?? .none
    }
}
