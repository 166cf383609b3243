import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import NIOHTTP1
import NIOWebSocket
import TestSupport

/// Frames of one job in progress-host's format.
struct JobFrames {
    let job: JobID
    let total: Int

    func started(seq: Int) throws -> WebSocketFrame {
        try frame(seq, JobStartedPayload(totalCount: total, estimatedDuration: 1_000, status: "Starting"))
    }

    func progress(seq: Int, found: Int, failed: Int = 0, title: String = "Dune", status: String? = nil) throws
        -> WebSocketFrame
    {
        try frame(
            seq,
            JobProgressPayload(
                counts: JobCounts(total: total, succeeded: found, failed: failed),
                status: status ?? "Processing book \(found + failed) of \(total)", currentTitle: title,
                currentItemDetails: nil, userMessage: "", estimatedTimeRemaining: 3))
    }

    func complete(seq: Int, found: Int, failed: Int = 0) throws -> WebSocketFrame {
        try frame(
            seq,
            JobCompletePayload(
                jobId: job, pipeline: .batchEnrichment,
                counts: JobCounts(total: total, succeeded: found, failed: failed), durationMilliseconds: 5,
                expiresAt: "2026-01-01T00:00:00.000Z", userMessage: "Added \(found) books."))
    }

    func failed(seq: Int, _ payload: JobErrorPayload) throws -> WebSocketFrame { try frame(seq, payload) }

    func reconnected(seq: Int, found: Int) throws -> WebSocketFrame {
        try frame(
            seq,
            ReconnectedPayload(
                status: .processing, counts: JobCounts(total: total, succeeded: found), lastUpdate: 0, message: "",
                recovered: true))
    }

    func ping(seq: Int) throws -> WebSocketFrame { try frame(seq, PingPayload(timestamp: 0)) }

    private func frame(_ seq: Int, _ payload: some FramePayload) throws -> WebSocketFrame {
        let frame = ServerFrame(jobId: job, pipeline: .batchEnrichment, timestamp: 0, seq: seq, payload: payload)
        return .text(String(buffer: try BodyCoding.encode(frame)))
    }
}

extension ScriptedServer.Reaction {
    /// A response with the API's envelope around `body`.
    static func success(_ status: Int, _ body: some Codable & Sendable) -> ScriptedServer.Reaction {
        let envelope = SuccessEnvelope(data: body, metadata: ResponseMetadata(timestamp: ""))
        guard let text = try? JSONEncoder().encode(envelope) else { return .drop }
        return .answer(status, [:], [String(decoding: text, as: UTF8.self)])
    }
}
