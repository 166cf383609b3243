import BookstrackContract
import JSONRPC
import NIOCore

/// The frames of scans that differ from those of other jobs (scans.md "Frames").
extension FrameComposer {
    /// The frame for the start of a scan; it counts photos.
    func started(_ scan: PhotoProgress) throws -> ByteBuffer {
        try FrameEncoding.encode { _ in
            frame(
                JobStartedPayload(
                    totalCount: scan.photos.count,
                    estimatedDuration: scan.photos.count * DurationEstimate.photo.milliseconds,
                    status: StatusText.progress(scan.stage, photo: 1, of: scan.photos.count)))
        }
    }

    /// The progress of reading photos and looking up their books.
    func progressPayload(of scan: PhotoProgress, status: String, _ limit: FrameTextLimit) -> JobProgressPayload {
        let title = limit.cut(latest?.title ?? "")
        var payload = JobProgressPayload(
            counts: counts, status: limit.cut(status), currentTitle: title,
            currentItemDetails: .init(isbn: limit.cut(latest?.asked?.isbn), author: limit.cut(latest?.asked?.author)),
            userMessage: scan.isOver && counts.total > 0
                ? StatusText.friendlyProgress(
                    title: title, found: latest?.found ?? true, processed: counts.processed, total: counts.total)
                : StatusText.friendlyProgress(scan.stage),
            estimatedTimeRemaining: scan.isOver ? secondsRemaining : nil)
        payload.progress = scan.progress(counts)
        payload.percentage = Int(payload.progress * 100)
        return payload
    }

    /// - Parameter modelUsed: Empty if no photo was read.
    func completed(_ tally: ScanTally, modelUsed: String, endedAt: Int64, expiresAt: Int64) throws -> ByteBuffer {
        try FrameEncoding.encode { _ in
            var payload = JobCompletePayload(
                jobId: job.id, pipeline: job.pipeline, counts: counts,
                durationMilliseconds: Int(max(0, endedAt - (job.startedAt ?? job.createdAt))),
                expiresAt: ISO8601Milliseconds.string(fromMilliseconds: expiresAt),
                userMessage: StatusText.completion(detected: tally.kept.count, approved: tally.approved))
            payload.addScan(detected: tally.kept.count, approved: tally.approved, modelUsed: modelUsed)
            return frame(payload)
        }
    }

    /// The frame before the `error` of a scan that has no results.
    func failing(_ failure: ScanFailure) throws -> ByteBuffer {
        try failing(failure.fault.message, userMessage: failure.fault.message)
    }

    /// The frame before the `error` of a failed `ai_scan` job that was created with its books (`CreateJob`) and therefore has no photos.
    func failing(_ failure: JobFailure) throws -> ByteBuffer {
        try failing(failure.message, userMessage: failure.userMessage)
    }

    /// The frame before the `error` of a failed scan. It is needed because shipped clients detect the failure only from the status (websocket.md
    /// "Payloads").
    private func failing(_ message: String, userMessage: String) throws -> ByteBuffer {
        try FrameEncoding.progress { limit in
            var payload = progressPayload(status: StatusText.scanFailed(message), limit)
            payload.userMessage = limit.cut(userMessage)
            return frame(payload)
        }
    }

    func failed(_ failure: ScanFailure) throws -> ByteBuffer {
        try FrameEncoding.encode { limit in
            var details = JobErrorPayload.Details(
                successCount: counts.succeeded, failureCount: counts.withoutResult)
            details.imageSize = failure.imageSize
            return frame(
                JobErrorPayload(
                    code: failure.fault.code, message: limit.cut(failure.fault.message),
                    userMessage: limit.cut(failure.fault.message),
                    // Scan clients reconnect after a frame with any other value (scans.md "Frames").
                    retryable: false, affectedItems: [], details: details))
        }
    }

    // MARK: Batches

    func batchStarted(_ scan: PhotoProgress) throws -> ByteBuffer {
        try batch(BatchInitPayload(totalPhotos: scan.photos.count))
    }

    /// The frame for a change in a photo's state. It contains the same photos three times, so it may be up to 4 KiB long.
    func batchProgress(_ scan: PhotoProgress, photo: Int, books: ScanTally) throws -> ByteBuffer {
        let photos = scan.photos.map { photo in
            var photo = photo
            photo.error = photo.error.map { FrameTextLimit(bytes: 120).cut($0) }
            return photo
        }
        guard let payload = BatchProgressPayload(photo: photo, photos: photos, totalBooksFound: books.kept.count)
        else { return try progress() }
        return try batch(payload)
    }

    /// - Parameter books: The rows of `books[]` as JSON text, joined by commas.
    func batchCompleted(_ scan: PhotoProgress, _ tally: ScanTally, books: ByteBuffer) throws -> ByteBuffer {
        let payload = BatchCompletePayload(jobId: job.id, totalBooks: tally.kept.count, photos: scan.photos)
        // The books would appear three times, because decoders read them from the same place as the photos (under `payload`, under `data` or at the
        // top level). Either all three places contain them or, if they do not fit, none does.
        let whole = try batch(payload)
        guard books.readableBytes * 3 + whole.readableBytes <= Self.maxBatchEndBytes else { return whole }
        return FrameEncoding.insert(books, intoEach: "books", of: whole)
    }

    /// Maximum size of the frame in bytes. An RPC frame is at most 1 MiB long, including the envelope around this frame.
    private static let maxBatchEndBytes = 1_000_000

    func batchCancelled() throws -> ByteBuffer { try batch(BatchCancelingPayload()) }

    private func batch(_ payload: some FramePayload) throws -> ByteBuffer {
        try BodyCoding.encode(BatchFrame(frame(payload)))
    }
}

/// Why a scan has no results.
struct ScanFailure: Equatable {
    var fault: PhotoFault
    /// Size of the photo in bytes; nil for a batch.
    var imageSize: Int?

    /// The reason: no photo could be read or, unless the scan is a batch, its photo shows no book; nil if the scan did not fail.
    init?(_ scan: OpenScan, books: Int) {
        let faults = scan.photos.compactMap(\.fault)
        imageSize = scan.isBatch ? nil : scan.photos.first?.bytes
        if let first = faults.first, faults.count == scan.photos.count {
            fault = scan.isBatch ? PhotoFault(.batchScanError, first.message, isRetryable: first.isRetryable) : first
        } else if books == 0, !scan.isBatch {
            fault = .noBooks
        } else {
            return nil
        }
    }
}

extension PhotoFault {
    fileprivate static let noBooks = PhotoFault(
        .noBooksDetected, "No books found. Try a clearer photo with better lighting.", isRetryable: false)
}
