import BookstrackContract
import JSONRPC
import NIOCore

/// Makes the frames of a job from what is stored of it.
struct FrameComposer {
    let job: JobRow
    let counts: JobCounts
    let now: Moment
    /// The newest item that got an outcome, when one did since the process started.
    var latest: LatestItem?
    /// Replaces the status text.
    var pushedStatus: String?

    func started() throws -> ByteBuffer {
        try FrameEncoding.encode { _ in
            frame(
                JobStartedPayload(
                    totalCount: job.total, estimatedDuration: DurationEstimate(books: job.total).milliseconds,
                    status: StatusText.progress(processed: 0, total: job.total)))
        }
    }

    /// A progress frame about the newest item.
    func progress(keepAlive: Bool? = nil) throws -> ByteBuffer {
        try FrameEncoding.encode { limit in
            let title = limit.cut(latest?.title ?? "")
            return frame(
                JobProgressPayload(
                    counts: counts, status: limit.cut(status), currentTitle: title,
                    currentItemDetails: .init(
                        isbn: limit.cut(latest?.asked?.isbn), author: limit.cut(latest?.asked?.author)),
                    userMessage: StatusText.friendlyProgress(
                        title: title, found: latest?.found ?? true, processed: counts.processed, total: counts.total),
                    estimatedTimeRemaining: secondsRemaining, keepAlive: keepAlive))
        }
    }

    func completed(endedAt: Int64, expiresAt: Int64) throws -> ByteBuffer {
        try FrameEncoding.encode { _ in
            frame(
                JobCompletePayload(
                    jobId: job.id, pipeline: job.pipeline, counts: counts,
                    durationMilliseconds: Int(max(0, endedAt - (job.startedAt ?? job.createdAt))),
                    expiresAt: ISO8601Milliseconds.string(fromMilliseconds: expiresAt),
                    userMessage: StatusText.completion(succeeded: counts.succeeded, failed: counts.failed)))
        }
    }

    func failed(_ failure: JobFailure, affectedItems: [String]) throws -> ByteBuffer {
        try FrameEncoding.encode { limit in
            frame(
                JobErrorPayload(
                    code: .enrichmentFailed, message: failure.message, userMessage: failure.userMessage,
                    retryable: true, affectedItems: affectedItems.map(limit.cut),
                    details: .init(successCount: counts.succeeded, failureCount: counts.failed)))
        }
    }

    /// The terminal frame of a cancelled job (spec/07 "WebSocket").
    func cancelled() throws -> ByteBuffer {
        try FrameEncoding.encode { _ in
            frame(
                JobProgressPayload(
                    counts: counts, status: StatusText.cancelled, currentTitle: "", currentItemDetails: nil,
                    userMessage: StatusText.friendlyCancellation, estimatedTimeRemaining: nil))
        }
    }

    func reconnected(seq: Int, recovered: Bool) throws -> ByteBuffer {
        let message =
            job.status.isTerminal
            ? "Reconnected successfully - the job is over" : "Reconnected successfully - resuming job progress"
        return try FrameEncoding.encode { _ in
            frame(
                ReconnectedPayload(
                    status: job.status, counts: counts, lastUpdate: job.lastUpdate, message: message,
                    recovered: recovered), seq: seq)
        }
    }

    func readyAck() throws -> ByteBuffer { try BodyCoding.encode(frame(ReadyAckPayload(timestamp: now.wall))) }

    func ping() throws -> ByteBuffer { try BodyCoding.encode(frame(PingPayload(timestamp: now.wall))) }

    func pong(clientTime: Int64?) throws -> ByteBuffer {
        try BodyCoding.encode(frame(PongPayload(timestamp: now.wall, clientTime: clientTime)))
    }

    /// A v1 progress frame of the same state.
    func v1Progress(error: String? = nil, keepAlive: Bool? = nil) throws -> ByteBuffer {
        try FrameEncoding.encode { limit in
            var content = V1Frame.Content(counts: counts, status: limit.cut(status))
            content.currentWorkId = limit.cut(latest?.asked?.workId)
            content.error = error
            content.keepAlive = keepAlive
            return v1(.progress, content)
        }
    }

    /// The last frame of a cancelled job in v1.
    func v1Cancelled() throws -> ByteBuffer {
        try BodyCoding.encode(v1(.progress, V1Frame.Content(counts: counts, status: StatusText.cancelled)))
    }

    /// The last frame of a completed job in v1.
    func v1Complete(_ works: [V1Frame.EnrichedWork]) throws -> ByteBuffer {
        var content = V1Frame.Content(
            counts: counts, status: StatusText.progress(processed: counts.processed, total: counts.total))
        content.successCount = counts.succeeded
        content.failedCount = counts.failed
        content.enrichedWorks = works
        return try BodyCoding.encode(v1(.complete, content))
    }

    private func v1(_ kind: V1Frame.Kind, _ content: V1Frame.Content) -> V1Frame {
        V1Frame(type: kind, jobId: job.id, timestamp: now.wall, data: content)
    }

    private var status: String {
        pushedStatus ?? StatusText.progress(processed: counts.processed, total: counts.total)
    }

    private var secondsRemaining: Int? {
        job.startedAt.flatMap {
            StatusText.estimatedSecondsRemaining(
                processed: counts.processed, total: counts.total, elapsedMilliseconds: now.wall - $0)
        }
    }

    private func frame<Payload: FramePayload>(_ payload: Payload, seq: Int? = nil) -> ServerFrame<Payload> {
        ServerFrame(
            jobId: job.id, pipeline: job.pipeline, timestamp: now.wall, seq: seq ?? job.lastSeq, payload: payload)
    }
}
