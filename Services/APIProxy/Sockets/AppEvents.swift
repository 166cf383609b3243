import BookstrackContract
import JSONRPC
import NIOCore

/// Converts a job's frames to the events that shipped apps read (streams.md "Streams of shipped apps").
struct AppEvents {
    /// Sets how long the app waits before it reconnects.
    static let beginning = EventStreamText.retry(milliseconds: 5_000)

    private let jobId: JobID
    private var pipeline: Pipeline?
    /// The newest ISBN in an enrichment's frames; empty before the first one.
    private var isbn = ""
    /// Progress of a scan, as known from its frames.
    private var photos = Photos()

    private struct Photos {
        var processed = 0
        var total = 1
        var books = 0
    }

    init(_ jobId: JobID) { self.jobId = jobId }

    /// The event for a stream that was idle for too long.
    var timeout: ByteBuffer { Self.text("timeout", TimeoutEvent(jobId: jobId), id: nil) }

    /// The event for a frame; nil if the frame contains nothing new for an app or cannot be read.
    mutating func event(of frame: ByteBuffer) -> ByteBuffer? {
        guard let head = try? BodyCoding.decode(Head.self, from: frame) else { return nil }
        pipeline = head.pipeline
        // A frame that this process cannot read is useless to an app as well.
        return try? event(head, frame)
    }

    private mutating func event(_ head: Head, _ frame: ByteBuffer) throws -> ByteBuffer? {
        switch head.type {
        case .jobStarted:
            return started(try BodyCoding.decode(ServerFrame<JobStartedPayload>.self, from: frame))
        case .jobProgress:
            let frame = try BodyCoding.decode(ServerFrame<JobProgressPayload>.self, from: frame)
            if frame.payload.status == StatusText.cancelled { return failed(.cancelled, frame.payload, frame.seq) }
            return frame.payload.keepAlive == true ? nil : progress(frame)
        case .reconnected:
            let frame = try BodyCoding.decode(ServerFrame<ReconnectedPayload>.self, from: frame)
            // If the stream is recovered, the missed events themselves follow.
            return frame.payload.recovered ? nil : reconnected(frame)
        case .jobComplete:
            return completed(try BodyCoding.decode(ServerFrame<JobCompletePayload>.self, from: frame))
        case .error:
            let frame = try BodyCoding.decode(ServerFrame<JobErrorPayload>.self, from: frame)
            return failed(Failure(frame.payload), nil, frame.seq)
        case .batchInit:
            photos.total = try BodyCoding.decode(ServerFrame<BatchInitPayload>.self, from: frame).payload.totalPhotos
            return nil
        case .batchProgress:
            let batch = try BodyCoding.decode(ServerFrame<BatchProgressPayload>.self, from: frame)
            photos.total = batch.payload.totalPhotos
            photos.processed = batch.payload.photos.filter(\.status.isOver).count
            photos.books = batch.payload.totalBooksFound
            return scanning(Double(photos.processed) / Double(max(1, photos.total)), batch.seq)
        case .batchCanceling: return failed(.cancelled, nil, head.seq)
        case .batchComplete, .resultsUpdated, .ready, .readyAck, .ping, .pong: return nil
        }
    }
}

// MARK: By kind of job

extension AppEvents {
    private mutating func started(_ frame: ServerFrame<JobStartedPayload>) -> ByteBuffer? {
        switch frame.pipeline {
        case .csvImport: return importing("initialized", 0, of: frame.payload.totalCount, progress: 0, frame.seq)
        case .batchEnrichment: return enriching(0, frame.seq)
        case .aiScan:
            photos.total = max(1, frame.payload.totalCount)
            return scanning(0, frame.seq)
        }
    }

    private mutating func progress(_ frame: ServerFrame<JobProgressPayload>) -> ByteBuffer? {
        let payload = frame.payload
        switch frame.pipeline {
        case .csvImport:
            return importing(
                "processing", payload.processedCount, of: payload.totalCount, progress: payload.progress, frame.seq)
        case .batchEnrichment:
            isbn = payload.currentItemDetails?.isbn ?? isbn
            return enriching(payload.percentage, frame.seq)
        case .aiScan:
            // The payload counts books, which are known once a photo has been read.
            photos.books = max(photos.books, payload.totalCount)
            if photos.total == 1, payload.totalCount > 0 { photos.processed = 1 }
            return scanning(payload.progress, frame.seq)
        }
    }

    private func reconnected(_ frame: ServerFrame<ReconnectedPayload>) -> ByteBuffer? {
        let payload = frame.payload
        switch frame.pipeline {
        case .csvImport:
            return importing(
                "processing", payload.processedCount, of: payload.totalCount, progress: payload.progress, frame.seq)
        case .batchEnrichment: return enriching(Int(payload.progress * 100), frame.seq)
        case .aiScan: return scanning(payload.progress, frame.seq)
        }
    }

    private func completed(_ frame: ServerFrame<JobCompletePayload>) -> ByteBuffer? {
        let payload = frame.payload
        switch frame.pipeline {
        case .csvImport:
            return importing("completed", payload.totalProcessed, of: payload.totalProcessed, progress: 1, frame.seq)
        case .batchEnrichment:
            return Self.text(
                "enrichment.completed", EnrichmentCompleted(isbn: isbn, data: .init(jobId, payload)), id: frame.seq)
        case .aiScan:
            return Self.text("photoscan.completed", PhotosCompleted(jobId, payload), id: frame.seq)
        }
    }

    /// - Parameter counts: The counts of a cancelled job, which only an import's event contains; nil if they are unknown.
    private func failed(_ failure: Failure, _ counts: JobProgressPayload?, _ seq: Int) -> ByteBuffer? {
        switch pipeline {
        case .csvImport:
            return importing(
                "failed", counts?.processedCount ?? 0, of: counts?.totalCount ?? 0, progress: counts?.progress ?? 0,
                error: failure, seq)
        case .batchEnrichment:
            return Self.text("enrichment.failed", EnrichmentFailed(isbn: isbn, error: failure), id: seq)
        case .aiScan:
            return Self.text(
                "photoscan.failed", PhotosFailed(jobId: jobId, error: failure, retryable: failure.retryable), id: seq)
        case nil: return nil
        }
    }

    /// An event of an import, which is named after the import's status.
    private func importing(
        _ status: String, _ processed: Int, of total: Int, progress: Double, error: Failure? = nil, _ seq: Int
    ) -> ByteBuffer {
        Self.text(
            status[...],
            ImportEvent(
                jobId: jobId, status: status, progress: progress, processedCount: processed, totalCount: total,
                error: error), id: seq)
    }

    private func enriching(_ percentage: Int, _ seq: Int) -> ByteBuffer {
        Self.text("enrichment.progress", EnrichmentProgress(isbn: isbn, progress: percentage), id: seq)
    }

    private func scanning(_ progress: Double, _ seq: Int) -> ByteBuffer {
        Self.text(
            "photoscan.progress",
            PhotosProgress(
                jobId: jobId, progress: progress, processedPhotos: photos.processed, totalPhotos: photos.total,
                recognizedBooks: photos.books), id: seq)
    }

    private static func text(_ name: Substring, _ data: some Encodable, id: Int?) -> ByteBuffer {
        EventStreamText.event(id: id.map { "\($0)" }, type: name, data: JSONBody.encode(data))
    }
}

// MARK: The events

/// The members that a job's frames have in common.
private struct Head: Decodable {
    var type: FrameType
    var pipeline: Pipeline
    var seq: Int
}

/// Why a job failed or was cancelled.
private struct Failure: Encodable {
    var code: FrameErrorCode
    var message: String
    var retryable: Bool
    var details: JobErrorPayload.Details?

    static let cancelled = Failure(code: .jobCancelled, message: "The job was cancelled.", retryable: false)

    init(code: FrameErrorCode, message: String, retryable: Bool) {
        (self.code, self.message, self.retryable) = (code, message, retryable)
    }

    init(_ payload: JobErrorPayload) {
        self.init(code: payload.code, message: payload.message, retryable: payload.retryable)
        details = payload.details
    }
}

private struct ImportEvent: Encodable {
    let jobId: JobID
    let status: String
    /// The job's progress, from 0 to 1.
    let progress: Double
    let processedCount: Int
    let totalCount: Int
    let error: Failure?
}

private struct EnrichmentProgress: Encodable {
    /// The newest ISBN; empty before the first one.
    let isbn: String
    let status = "processing"
    /// The job's progress, from 0 to 100.
    let progress: Int
    /// Constant, because frames do not name the provider that found the book.
    let provider = "bookstrack"
}

private struct EnrichmentCompleted: Encodable {
    struct Outcome: Encodable {
        let jobId: JobID
        let resultsUrl: String
        let totalProcessed: Int
        let successCount: Int
        let failureCount: Int
        let enrichedBooks: [EnrichedBook]?

        init(_ jobId: JobID, _ payload: JobCompletePayload) {
            self.jobId = jobId
            resultsUrl = payload.resultsUrl
            totalProcessed = payload.totalProcessed
            successCount = payload.successCount
            failureCount = payload.failureCount
            enrichedBooks = payload.enrichedBooks
        }
    }

    let isbn: String
    let status = "completed"
    let data: Outcome
}

private struct EnrichmentFailed: Encodable {
    let isbn: String
    let status = "failed"
    let error: Failure
}

private struct PhotosProgress: Encodable {
    let jobId: JobID
    let status = "processing"
    /// The job's progress, from 0 to 1.
    let progress: Double
    let processedPhotos: Int
    let totalPhotos: Int
    let recognizedBooks: Int
}

private struct PhotosCompleted: Encodable {
    struct Summary: Encodable {
        let totalDetected: Int
        let approved: Int
        let needsReview: Int
        let enrichedCount: Int
        /// Duration of the job in milliseconds.
        let duration: Int
    }

    let jobId: JobID
    let status = "completed"
    let resultsUrl: String
    let summary: Summary

    init(_ jobId: JobID, _ payload: JobCompletePayload) {
        self.jobId = jobId
        resultsUrl = payload.resultsUrl
        summary = Summary(
            totalDetected: payload.totalDetected ?? 0, approved: payload.approved ?? 0,
            needsReview: payload.needsReview ?? 0, enrichedCount: payload.successCount, duration: payload.duration)
    }
}

private struct PhotosFailed: Encodable {
    let jobId: JobID
    let status = "failed"
    let error: Failure
    let retryable: Bool
}

private struct TimeoutEvent: Encodable {
    let jobId: JobID
    let status = "timeout"
}
