import BookstrackContract
import JSONRPC
import NIOCore

/// Creates the frames of a job from its current state.
struct FrameComposer {
    let job: JobRow
    let counts: JobCounts
    let now: Moment
    /// The item that received the newest outcome; nil if there is none.
    var latest: LatestItem?
    /// A pushed status text, which replaces the job's own; nil if there is none.
    var pushedStatus: String?
    /// The state of an import's file; nil for other jobs.
    var reading: FileReading?
    /// The photos of a scan; nil for other jobs.
    var photos: PhotoProgress?

    func started() throws -> ByteBuffer {
        if let reading { return try started(reading) }
        if let photos { return try started(photos) }
        return try FrameEncoding.encode { _ in
            frame(
                JobStartedPayload(
                    totalCount: job.total, estimatedDuration: DurationEstimate(books: job.total).milliseconds,
                    status: StatusText.progress(processed: 0, total: job.total)))
        }
    }

    /// A progress frame with the current state.
    func progress() throws -> ByteBuffer {
        try FrameEncoding.progress { limit in frame(progressPayload(status: status, limit)) }
    }

    /// A progress frame with the current state, for watchers of a silent job. It is not an event, so it has the `seq` of the last event.
    func keepAlive() throws -> ByteBuffer {
        try FrameEncoding.progress { limit in
            var payload = progressPayload(status: status, limit)
            payload.keepAlive = true
            return frame(payload)
        }
    }

    func progressPayload(status: String, _ limit: FrameTextLimit) -> JobProgressPayload {
        if let reading { return progressPayload(of: reading, status: status, limit) }
        if let photos { return progressPayload(of: photos, status: status, limit) }
        let title = limit.cut(latest?.title ?? "")
        return JobProgressPayload(
            counts: counts, status: limit.cut(status), currentTitle: title,
            currentItemDetails: .init(isbn: limit.cut(latest?.asked?.isbn), author: limit.cut(latest?.asked?.author)),
            userMessage: StatusText.friendlyProgress(
                title: title, found: latest?.found ?? true, processed: counts.processed, total: counts.total),
            estimatedTimeRemaining: secondsRemaining)
    }

    /// - Parameter books: The rows of `enrichedBooks[]` as JSON text, joined by commas; nil omits the member.
    func completed(endedAt: Int64, expiresAt: Int64, books: ByteBuffer? = nil) throws -> ByteBuffer {
        var payload = JobCompletePayload(
            jobId: job.id, pipeline: job.pipeline, counts: counts,
            durationMilliseconds: Int(max(0, endedAt - (job.startedAt ?? job.createdAt))),
            expiresAt: ISO8601Milliseconds.string(fromMilliseconds: expiresAt),
            userMessage: StatusText.completion(counts))
        guard let books else { return try FrameEncoding.encode { _ in frame(payload) } }
        payload.enrichedBooks = []
        return try FrameEncoding.insert(books, into: "enrichedBooks", of: BodyCoding.encode(frame(payload)))
    }

    func failed(_ failure: JobFailure, affectedItems: [String]) throws -> ByteBuffer {
        try FrameEncoding.encode { limit in
            frame(
                JobErrorPayload(
                    code: FrameErrorCode(failureOf: job.pipeline), message: failure.message,
                    userMessage: failure.userMessage, retryable: job.pipeline != .aiScan,
                    affectedItems: affectedItems.map(limit.cut),
                    details: .init(successCount: counts.succeeded, failureCount: counts.withoutResult)))
        }
    }

    /// The frame that tells a client, before the close, why its socket cannot follow the job. It is not an event.
    func refusal(_ code: FrameErrorCode, _ message: String) throws -> ByteBuffer {
        try BodyCoding.encode(
            frame(
                JobErrorPayload(
                    code: code, message: message,
                    userMessage: "The progress of your books can no longer be followed here.",
                    retryable: false, affectedItems: [],
                    details: .init(successCount: counts.succeeded, failureCount: counts.withoutResult))))
    }

    /// The terminal frame of a cancelled job (websocket.md "Payloads").
    func cancelled() throws -> ByteBuffer {
        if let photos, photos.isBatch { return try batchCancelled() }
        return try FrameEncoding.progress { _ in
            var payload = JobProgressPayload(
                counts: counts, status: StatusText.cancelled, currentTitle: "", currentItemDetails: nil,
                userMessage: friendlyCancellation, estimatedTimeRemaining: nil)
            payload.progress = shownProgress
            payload.percentage = Int(shownProgress * 100)
            if job.isImportWithoutRows { payload.successCount = 0 }
            return frame(payload)
        }
    }

    /// The job's progress; a scan makes progress before it has items.
    private var shownProgress: Double { photos?.progress(counts) ?? counts.progress }

    private var friendlyCancellation: String {
        switch job.pipeline {
        case .batchEnrichment: StatusText.friendlyCancellation
        case .csvImport: StatusText.friendlyImportCancellation
        case .aiScan: StatusText.friendlyScanCancellation
        }
    }

    func reconnected(seq: Int, recovered: Bool) throws -> ByteBuffer {
        let message =
            job.status.isTerminal
            ? "Reconnected successfully - the job has ended" : "Reconnected successfully - resuming job progress"
        return try FrameEncoding.encode { _ in
            var payload = ReconnectedPayload(
                status: job.status, counts: counts, lastUpdate: job.lastUpdate, message: message, recovered: recovered)
            payload.progress = shownProgress
            return frame(payload, seq: seq)
        }
    }

    /// A v1 progress frame with the job's current state.
    func v1Progress(error: String? = nil, keepAlive: Bool? = nil) throws -> ByteBuffer {
        try FrameEncoding.encode { limit in
            var content = V1Frame.Content(counts: counts, status: limit.cut(status))
            content.progress = shownProgress
            content.currentWorkId = limit.cut(latest?.asked?.workId)
            content.error = error
            content.keepAlive = keepAlive
            return v1(.progress, content)
        }
    }

    /// The last frame of a failed job in v1; for a scan, its status also mentions the failure (websocket.md "v1 dialect").
    func v1Failed(_ message: String) throws -> ByteBuffer {
        var composer = self
        if job.pipeline == .aiScan { composer.pushedStatus = StatusText.scanFailed(message) }
        return try composer.v1Progress(error: message)
    }

    /// The frame that tells a v1 client, before the close, why its socket cannot follow the job.
    func v1Refusal(_ message: String) throws -> ByteBuffer {
        var content = V1Frame.Content(counts: counts, status: message)
        content.progress = 0
        content.error = message
        return try BodyCoding.encode(v1(.progress, content))
    }

    /// The last frame of a cancelled job in v1.
    func v1Cancelled() throws -> ByteBuffer {
        var content = V1Frame.Content(counts: counts, status: StatusText.cancelled)
        content.progress = shownProgress
        return try BodyCoding.encode(v1(.progress, content))
    }

    /// The last frame of a completed job in v1.
    func v1Complete(_ works: [V1Frame.EnrichedWork]) throws -> ByteBuffer {
        var content = V1Frame.Content(
            counts: counts, status: StatusText.progress(processed: counts.processed, total: counts.total))
        content.successCount = counts.succeeded
        content.failedCount = counts.withoutResult
        content.enrichedWorks = works
        return try BodyCoding.encode(v1(.complete, content))
    }

    /// The last frame of a completed scan in v1, without its books.
    func v1Complete(_ scan: V1Frame.Scan) throws -> ByteBuffer {
        var content = V1Frame.Content(counts: counts, status: StatusText.scanComplete)
        content.progress = 1
        content.successCount = counts.succeeded
        content.failedCount = counts.withoutResult
        content.result = scan
        return try BodyCoding.encode(v1(.complete, content))
    }

    private func v1(_ kind: V1Frame.Kind, _ content: V1Frame.Content) -> V1Frame {
        V1Frame(type: kind, jobId: job.id, timestamp: now.wall, data: content)
    }

    private var status: String {
        pushedStatus ?? reading.map { StatusText.progress($0.phase) }
            ?? photos.map { StatusText.progress($0.stage, photo: $0.current, of: $0.photos.count) }
            ?? StatusText.progress(processed: counts.processed, total: counts.total)
    }

    var secondsRemaining: Int? {
        job.startedAt.flatMap {
            StatusText.estimatedSecondsRemaining(
                processed: counts.processed, total: counts.total, elapsedMilliseconds: now.elapsed(since: $0))
        }
    }

    func frame<Payload: FramePayload>(_ payload: Payload, seq: Int? = nil) -> ServerFrame<Payload> {
        ServerFrame(payload, of: job, seq: seq ?? job.lastSeq, now)
    }
}

/// Creates the frames that need only a job's row, so a ping costs the same for every job.
struct ControlFrames {
    let job: JobRow
    let now: Moment

    /// - Parameter seq: The `seq` of the last event sent on the connection, as for every frame that is not an event
    ///   (websocket.md "Frames").
    func readyAck(seq: Int) -> ByteBuffer {
        FrameText.readyAck(ServerFrame(ReadyAckPayload(timestamp: now.wall), of: job, seq: seq, now))
    }

    func ping(seq: Int) throws -> ByteBuffer {
        try BodyCoding.encode(ServerFrame(PingPayload(timestamp: now.wall), of: job, seq: seq, now))
    }

    func pong(clientTime: Int64?, seq: Int) throws -> ByteBuffer {
        let payload = PongPayload(timestamp: now.wall, clientTime: clientTime)
        return try BodyCoding.encode(ServerFrame(payload, of: job, seq: seq, now))
    }

    /// The `results_updated` frame. It is not an event, because the job has ended; its `seq` is that of the job's last event.
    func resultsUpdated(improved: Int) throws -> ByteBuffer {
        let payload = ResultsUpdatedPayload(resultsRevision: job.resultsRevision, improved: improved)
        return try BodyCoding.encode(ServerFrame(payload, of: job, seq: job.lastSeq, now))
    }
}

extension ServerFrame {
    fileprivate init(_ payload: Payload, of job: JobRow, seq: Int, _ now: Moment) {
        self.init(jobId: job.id, pipeline: job.pipeline, timestamp: now.wall, seq: seq, payload: payload)
    }
}

/// The item with the newest outcome, as shown in a progress frame.
struct LatestItem {
    var title: String
    var found: Bool
    /// The book as requested.
    var asked: BookQuery?
}

/// Why a whole job failed: none of its items could be processed (jobs.md "Ends").
enum JobFailure: Sendable, Equatable {
    /// No provider gave a usable response for any item.
    case providers
    /// No item succeeded, and at least one was still open at the job's deadline.
    case deadline
    /// The import that the job waited for failed.
    case importFailed

    /// Determines the reason from the counts of an ended job; nil if any item succeeded or ended for another reason, or if there are no items
    /// (jobs.md "Ends").
    init?(_ counts: JobCounts) {
        let failing: [ItemErrorCode] = [.providerTimeout, .providerError, .quotaExhausted, .deadlineExceeded]
        let failed = failing.reduce(0) { $0 + counts.failures[$1] }
        guard failed > 0, failed == counts.total else { return nil }
        self = counts.failures[.deadlineExceeded] > 0 ? .deadline : .providers
    }

    /// A technical message.
    var message: String {
        switch self {
        case .providers: "no provider gave a usable response for any book"
        case .deadline: "the job ran out of time before any book was looked up"
        case .importFailed: "the import that the job belongs to could not be read"
        }
    }

    /// A message for users.
    var userMessage: String {
        switch self {
        case .providers: "None of your books could be looked up just now. Please try again later."
        case .deadline: "Looking up your books took too long. Please try again later."
        case .importFailed: "Your library could not be read, so there were no books to look up."
        }
    }
}
