import BookstrackContract
import GRDB
import Observability
import SuiteMethods
import SuiteStorage

/// A stored job without its counts, which are derived from its items or, for an import, from its file.
struct JobRow: Sendable {
    var number: Int64
    var id: JobID
    var pipeline: Pipeline
    var status: JobStatus
    var digest: String
    var total: Int
    /// Milliseconds since 1970, like all times here.
    var createdAt: Int64
    var startedAt: Int64?
    var endedAt: Int64?
    var expiresAt: Int64?
    var deadlineAt: Int64
    /// `seq` of the newest event. A value read from the database does not include the events of a running job's items; `ActiveJob` adds them.
    var lastSeq: Int
    /// All events after this `seq` are stored.
    var recoverableFrom: Int
    /// Time of the newest event, or of the job's creation; see ``lastSeq``.
    var lastUpdate: Int64
    var resultsRevision: Int
    /// Trace context of the request that started the job; nil if unknown.
    var trace: TraceContext?
    /// The origin of the job's start; `shownToken` and `isKeyed` are never stored. Empty for jobs started before origins were stored.
    var origin = JobOrigin()

    /// The columns of the table `job`, in the order in which `init(_:)` reads them.
    static let columns = """
        number, job_id, pipeline, status, digest, total, created_at, started_at, ended_at, expires_at, deadline_at, \
        \(JobSequence.lastOwnSQL) AS last_seq, \
        coalesce((SELECT at FROM event WHERE event.job = job.number ORDER BY seq DESC LIMIT 1), created_at) AS last_update, \
        recoverable_from, results_revision, trace_id, request_id, client, priority, completion_books, \
        source, callback_url
        """

    /// What triggered the job.
    var source: JobSource { origin.source ?? JobSource(of: pipeline) }

    /// Whether clients may follow the results after the job's end; the results of a cancelled job no longer change.
    var resultsCanBeFollowed: Bool { status == .completed || status == .failed }

    /// Whether the job is an import without rows, because it failed or was cancelled, however much of its file was read (imports.md "Life").
    var isImportWithoutRows: Bool { pipeline == .csvImport && (status == .failed || status == .cancelled) }

    /// Whether the job has reached `seq` and every event after it is stored.
    func keepsEvents(after seq: Int) -> Bool { seq >= recoverableFrom && seq <= lastSeq }

    /// The `seq` of a `reconnected` frame with the current state. For a job that has ended with several events, such as a failed scan or a photo
    /// batch, it is the `seq` before these events, so they count as new. On a one-way connection, such as an event stream, this also applies to a
    /// single terminal event: the client may be cut off between `reconnected` and that event, and a client that gives the terminal event's `seq`
    /// receives nothing further.
    ///
    /// - Parameter endEvents: Number of events at the end of the job (``JobStore/ending(of:)``); 0 before it has ended.
    func seqBeforeState(oneWay: Bool, endEvents: Int) -> Int {
        endEvents > 1 || oneWay ? lastSeq - endEvents : lastSeq
    }

    /// Creates the row for a job that does not exist yet.
    init(awaited id: JobID, now: Int64) {
        self.id = id
        (number, total, lastSeq, recoverableFrom, resultsRevision) = (0, 0, 0, 0, 0)
        (pipeline, status, digest) = (.batchEnrichment, .pending, "")
        (createdAt, deadlineAt, lastUpdate) = (now, now, now)
    }

    /// Reads a row of `columns`; nil if its identifier is invalid, or if this program does not know its pipeline or status.
    init?(_ row: Row) {
        // Columns are read by position: finding each column by name costs more than the query, and nearly every engine command reads a job.
        var columns = ColumnReader(row)
        number = columns.next()
        guard let id = JobID(columns.next() as String), let pipeline = Pipeline(rawValue: columns.next()),
            let status = JobStatus(rawValue: columns.next())
        else { return nil }
        (self.id, self.pipeline, self.status) = (id, pipeline, status)
        digest = columns.next()
        total = columns.next()
        createdAt = columns.next()
        startedAt = columns.optional()
        endedAt = columns.optional()
        expiresAt = columns.optional()
        deadlineAt = columns.next()
        lastSeq = columns.next()
        lastUpdate = columns.next()
        recoverableFrom = columns.next()
        resultsRevision = columns.next()
        let (traceID, requestID): (String?, String?) = (columns.optional(), columns.optional())
        trace = traceID.flatMap { traceID in requestID.flatMap { TraceContext(traceID: traceID, requestID: $0) } }
        origin.client = columns.optional() ?? ""
        origin.priority = (columns.optional() as String?).flatMap(JobOrigin.Priority.init)
        origin.completionBooks = (columns.optional() as String?).flatMap(JobOrigin.CompletionBooks.init) ?? .none
        origin.source = (columns.optional() as String?).flatMap(JobSource.init)
        origin.callbackURL = columns.optional()
    }
}

/// Reads the values of a row one after another.
private struct ColumnReader {
    private let row: Row
    private var index = 0

    init(_ row: Row) { self.row = row }

    mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value {
        defer { index += 1 }
        return row[index]
    }

    mutating func optional<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value? {
        defer { index += 1 }
        return row[index]
    }
}
