import BookstrackContract
import JSONRPC
import NIOCore

/// The frames of imports that differ from those of other jobs (imports.md "Frames").
extension FrameComposer {
    /// The frame for the start of an import, with an estimated number of rows.
    func started(_ reading: FileReading) throws -> ByteBuffer {
        try FrameEncoding.encode { _ in
            frame(
                JobStartedPayload(
                    totalCount: counts.total, estimated: true,
                    estimatedDuration: DurationEstimate.libraryFile.milliseconds,
                    status: StatusText.progress(reading.phase)))
        }
    }

    /// The progress of reading a file. The file's name is shown as the current item.
    func progressPayload(of reading: FileReading, status: String, _ limit: FrameTextLimit) -> JobProgressPayload {
        JobProgressPayload(
            counts: counts, status: limit.cut(status), currentTitle: limit.cut(reading.file.name),
            currentItemDetails: nil,
            userMessage: StatusText.friendlyProgress(reading.phase, percentage: counts.percentage),
            estimatedTimeRemaining: secondsRemaining)
    }

    /// The last frame of a completed import.
    ///
    /// - Parameter books: The rows of `books[]` and `errors[]` as JSON text, joined by commas; nil omits the members.
    func completed(
        _ summary: ImportSummary, enrichment: JobID?, endedAt: Int64, expiresAt: Int64,
        books: (books: ByteBuffer, errors: ByteBuffer)?
    ) throws -> ByteBuffer {
        var payload = JobCompletePayload(
            jobId: job.id, pipeline: job.pipeline, counts: counts,
            durationMilliseconds: Int(max(0, endedAt - (job.startedAt ?? job.createdAt))),
            expiresAt: ISO8601Milliseconds.string(fromMilliseconds: expiresAt),
            userMessage: StatusText.completion(books: summary.booksCreated, errors: summary.errorCount))
        payload.booksCount = summary.booksCreated
        payload.successRate = summary.successRate
        payload.enrichment = enrichment.map(ImportResults.Enrichment.init)
        guard let books else { return try FrameEncoding.encode { _ in frame(payload) } }
        payload.books = []
        payload.errors = []
        // `errors`, which follows `books` in the frame, is filled first, because the rows of `books` may contain the text by which `errors` is found.
        let withErrors = FrameEncoding.insert(books.errors, into: "errors", of: try BodyCoding.encode(frame(payload)))
        return FrameEncoding.insert(books.books, into: "books", of: withErrors)
    }

    /// The frame for the failure of an import.
    func failed(_ fault: ImportFault, _ file: ImportedFile) throws -> ByteBuffer {
        try FrameEncoding.encode { limit in
            var details = JobErrorPayload.Details(successCount: 0, failureCount: 0)
            details.lineNumber = fault.lineNumber
            details.fileName = limit.cut(file.name)
            details.fileSize = file.bytes
            details.rows = fault.rows
            details.limit = fault.limit
            return frame(
                JobErrorPayload(
                    code: FrameErrorCode(failureOf: job.pipeline), message: limit.cut(fault.message),
                    userMessage: limit.cut(fault.message), retryable: fault.code == .processingFailed,
                    affectedItems: [], details: details, inner: fault.code.rawValue))
        }
    }
}
