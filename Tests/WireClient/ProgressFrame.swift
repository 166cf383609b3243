package import BookstrackContract
import Foundation
package import NIOCore
import NIOFoundationCompat

/// A frame from the server.
package struct ProgressFrame: Sendable {
    package enum Content: Sendable {
        case started(JobStartedPayload)
        case progress(JobProgressPayload)
        case complete(JobCompletePayload)
        case failed(JobErrorPayload)
        case reconnected(ReconnectedPayload)
        /// The state of each photo of a photo batch (scans.md "Frames").
        case photos([ScannedPhoto])
        /// The last frame of a cancelled photo batch.
        case photosCancelled
        case ping
        /// Another numbered event, of this type.
        case otherEvent(String)
        /// Another frame that is not an event, or any frame of an unknown type.
        case other(String)
    }

    /// The event's number, or the latest event's number if the frame is not an event.
    package var seq: Int
    package var content: Content

    /// Decodes a frame; throws `malformed` if it is not one.
    package init(_ bytes: ByteBuffer) throws(ClientFailure) {
        do {
            let decoder = JSONDecoder()
            let head = try decoder.decode(Head.self, from: bytes)
            seq = head.seq
            content =
                switch FrameType(rawValue: head.type) {
                case .jobStarted: .started(try decoder.decode(Body<JobStartedPayload>.self, from: bytes).payload)
                case .jobProgress: .progress(try decoder.decode(Body<JobProgressPayload>.self, from: bytes).payload)
                case .jobComplete: .complete(try decoder.decode(Body<JobCompletePayload>.self, from: bytes).payload)
                case .error: .failed(try decoder.decode(Body<JobErrorPayload>.self, from: bytes).payload)
                case .reconnected: .reconnected(try decoder.decode(Body<ReconnectedPayload>.self, from: bytes).payload)
                case .batchProgress:
                    .photos(try decoder.decode(Body<BatchProgressPayload>.self, from: bytes).payload.photos)
                case .batchCanceling: .photosCancelled
                case .ping: .ping
                case .batchInit, .batchComplete: .otherEvent(head.type)
                case .ready, .readyAck, .pong, .resultsUpdated, nil: .other(head.type)
                }
        } catch {
            throw .malformed("unreadable frame: \(error)")
        }
    }

    /// How the job ended, if this is its last frame (websocket.md "Payloads").
    package var ending: JobEnding? {
        switch content {
        case .complete(let payload): .completed(payload)
        case .failed(let payload): .failed(payload)
        case .progress(let payload) where payload.status == "job_cancelled": .cancelled
        case .photosCancelled: .cancelled
        default: nil
        }
    }

    private struct Head: Decodable {
        var type: String
        var seq: Int
    }

    private struct Body<Payload: Decodable>: Decodable {
        var payload: Payload
    }
}

/// How a job ended.
package enum JobEnding: Sendable, Equatable {
    case completed(JobCompletePayload)
    case failed(JobErrorPayload)
    case cancelled
}
