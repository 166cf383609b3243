import BookstrackClient
public import BookstrackContract
import Foundation

/// A book in a ``FakeServer``.
public struct FakeBook: Sendable, Equatable {
    /// The ISBN. A job that looks up an ISBN or a work identifier finds the book only if that is exactly this text.
    public var isbn: String
    /// The title. A job that looks up a title without an ISBN or a work identifier finds the book regardless of case.
    public var title: String
    /// The only author.
    public var author: String
    /// Why a job does not find the book; nil if a job finds it.
    public var failure: ItemErrorCode?

    /// Creates a book.
    public init(isbn: String, title: String, author: String, failure: ItemErrorCode? = nil) {
        self.isbn = isbn
        self.title = title
        self.author = author
        self.failure = failure
    }

    var metadata: EnrichedMetadata {
        var work = WorkDTO(title: title)
        work.primaryProvider = .openLibrary
        return EnrichedMetadata(
            work: work, edition: EditionDTO(isbns: [isbn], format: .paperback), authors: [AuthorDTO(name: author)])
    }

    func isMeant(by query: BookQuery) -> Bool {
        if let asked = query.isbn ?? query.workId { return asked == isbn }
        return query.title?.lowercased() == title.lowercased()
    }
}

/// A frame as sent.
struct FakeFrame: Sendable {
    let seq: Int
    let text: String
}

/// A job of a ``FakeServer``: its items and every frame so far.
struct FakeJob: Sendable {
    let id: JobID
    private(set) var token = UUID().uuidString
    let pipeline: Pipeline
    let items: [BookQuery]
    private(set) var status = JobStatus.pending
    private(set) var rows: [EnrichedBook] = []
    private(set) var frames: [FakeFrame] = []
    /// Revision of the results.
    private(set) var revision = 1

    init(id: JobID, pipeline: Pipeline, items: [BookQuery]) {
        self.id = id
        self.pipeline = pipeline
        self.items = items
    }

    var isOver: Bool { status.isTerminal }
    var lastSeq: Int { frames.last?.seq ?? 0 }
    var tag: String { "W/\"\(state.version)\"" }

    private var counts: JobCounts {
        var counts = JobCounts(total: items.count)
        for row in rows {
            if row.success { counts.succeeded += 1 } else { counts.failed += 1 }
            if let code = row.errorCode { counts.failures[code] += 1 }
        }
        return counts
    }

    var state: JobState {
        var state = JobState(
            jobId: id, pipeline: pipeline, totalCount: items.count,
            createdAt: ISO8601Milliseconds.string(fromMilliseconds: 0))
        let counts = counts
        (state.status, state.progress, state.lastSeq) = (status, counts.progress, lastSeq)
        state.resultsRevision = revision
        (state.processedCount, state.successCount, state.failureCount) = (
            counts.processed, counts.succeeded, counts.withoutResult
        )
        state.failureCounts = counts.failures.ifAny
        return state
    }

    /// Whether the results can be read: those of an ended enrichment, or of a completed import or scan.
    var hasResults: Bool { pipeline == .batchEnrichment ? isOver : status == .completed }

    /// The results, including the items that had no outcome when the job ended.
    var results: EnrichmentResults {
        let unfinished = items.dropFirst(rows.count).map { item in
            row(item, failure: status == .failed ? .deadlineExceeded : .cancelled)
        }
        return EnrichmentResults(
            jobId: id, resultsRevision: revision, expiresAt: ISO8601Milliseconds.string(fromMilliseconds: 86_400_000),
            successCount: counts.succeeded, failureCount: items.count - counts.succeeded,
            enrichedBooks: rows + unfinished)
    }

    /// Whether a request is authorized by the job's token.
    func admits(_ request: ClientRequest) -> Bool { request.headers["Authorization"] == "Bearer \(token)" }

    /// Replaces the token; the old one is no longer accepted.
    mutating func rotateToken() { token = UUID().uuidString }

    /// Processes the next `count` items; a job without further items completes.
    mutating func advance(by count: Int, knowing books: [FakeBook]) {
        guard !isOver, count > 0 else { return }
        if status == .pending {
            status = .processing
            append(JobStartedPayload(totalCount: items.count, estimatedDuration: 1_000, status: "Processing"))
        }
        for item in items.dropFirst(rows.count).prefix(count) {
            rows.append(row(item, books))
            append(
                JobProgressPayload(
                    counts: counts, status: "Processing book \(rows.count) of \(items.count)",
                    currentTitle: item.displayTitle, currentItemDetails: nil,
                    userMessage: "Looking up \(item.displayTitle)", estimatedTimeRemaining: nil))
        }
        guard rows.count == items.count else { return }
        status = .completed
        append(
            JobCompletePayload(
                jobId: id, pipeline: pipeline, counts: counts, durationMilliseconds: 1_000,
                expiresAt: results.expiresAt, userMessage: "Done"))
    }

    mutating func fail(_ code: FrameErrorCode, retryable: Bool) {
        guard !isOver else { return }
        status = .failed
        append(
            JobErrorPayload(
                code: code, message: "the job failed", userMessage: "The job failed", retryable: retryable,
                affectedItems: [],
                details: JobErrorPayload.Details(
                    successCount: counts.succeeded, failureCount: counts.withoutResult)))
    }

    mutating func cancel() {
        guard !isOver else { return }
        status = .cancelled
        append(
            JobProgressPayload(
                counts: counts, status: StatusText.cancelled, currentTitle: "", currentItemDetails: nil,
                userMessage: "Cancelled", estimatedTimeRemaining: nil))
    }

    /// The frame that the server sends to a connection when it no longer stores the job.
    var refusal: FakeFrame {
        let details = JobErrorPayload.Details(successCount: 0, failureCount: 0)
        return frame(
            JobErrorPayload(
                code: .notFound, message: "the job is no longer stored", userMessage: "The job is no longer stored",
                retryable: false, affectedItems: [], details: details), seq: 0)
    }

    /// Increments the revision of the results and returns the frame that reports it. The rows remain unchanged.
    mutating func improve(rows: Int) -> FakeFrame {
        revision += 1
        return frame(ResultsUpdatedPayload(resultsRevision: revision, improved: rows), seq: lastSeq)
    }

    /// Frames that a new connection receives immediately (websocket.md "Connection lifetime").
    func replay(since: Int?) -> [FakeFrame] {
        guard let since else {
            guard let last = frames.last else { return [acknowledgment] }
            return isOver || last.seq == 1 ? [last] : [frames[0], last]
        }
        let payload = ReconnectedPayload(
            status: status, counts: counts, lastUpdate: 0, message: "Reconnected", recovered: true)
        return [frame(payload, seq: since)] + frames.filter { $0.seq > since }
    }

    private var acknowledgment: FakeFrame { frame(ReadyAckPayload(timestamp: 0), seq: 0) }

    private mutating func append(_ payload: some FramePayload) {
        frames.append(frame(payload, seq: lastSeq + 1))
    }

    private func frame(_ payload: some FramePayload, seq: Int) -> FakeFrame {
        let frame = ServerFrame(jobId: id, pipeline: pipeline, timestamp: 0, seq: seq, payload: payload)
        return FakeFrame(seq: seq, text: FakeRoutes.json(frame))
    }

    private func row(_ item: BookQuery, _ books: [FakeBook]) -> EnrichedBook {
        guard let book = books.first(where: { $0.isMeant(by: item) }) else { return row(item, failure: .notFound) }
        if let failure = book.failure { return row(item, failure: failure) }
        var row = EnrichedBook(asked: item, success: true)
        (row.enriched, row.matchedBy) = (book.metadata, item.isbn == nil ? .title : .isbn)
        return row
    }

    private func row(_ item: BookQuery, failure: ItemErrorCode) -> EnrichedBook {
        var row = EnrichedBook(asked: item, success: false)
        (row.error, row.errorCode, row.retryable) = ("No result", failure, failure.isRetryable)
        return row
    }
}
