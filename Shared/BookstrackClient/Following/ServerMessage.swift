import BookstrackContract
import Foundation

/// A decoded server frame (websocket.md "Frames").
enum ServerMessage: Equatable {
    /// A numbered event.
    case event(JobEvent)
    /// The server can send no more events of the job, because the token was revoked or the job is no longer stored (websocket.md "Payloads").
    case rejected(BookstrackError)
    /// The response to a reconnection.
    case reconnected(seq: Int, ReconnectedPayload)
    /// The response to a ping.
    case pong(clientTime: Int64?)
    /// The results of the ended job have improved.
    case resultsUpdated(ResultsUpdate)
    /// The server checks whether the client is alive.
    case ping
    /// Nothing to process: a keep-alive, the response to `ready`, a poll without an event, or a frame of a type that this client does not know.
    case other

    private struct Head: Decodable {
        var type: String
        var jobId: JobID
        var seq: Int
        var timestamp: Int64
    }

    private struct Body<Payload: Decodable>: Decodable {
        var payload: Payload
    }

    /// Reads a frame.
    ///
    /// - Throws: ``BookstrackError`` with `unexpectedAnswer` if the text is not a frame or its event cannot be decoded.
    init(_ text: String) throws(BookstrackError) {
        do {
            self = try Self.decode(Data(text.utf8))
        } catch {
            throw BookstrackError(.unexpectedAnswer, "a frame cannot be read: \(error)")
        }
    }

    private static func decode(_ data: Data) throws -> ServerMessage {
        let decoder = JSONDecoder()
        let head = try decoder.decode(Head.self, from: data)
        func payload<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
            try decoder.decode(Body<Payload>.self, from: data).payload
        }
        func event(
            _ content: JobEvent.Content, completion: JobCompletePayload? = nil, failureText: String? = nil
        ) -> ServerMessage {
            .event(
                JobEvent(
                    jobID: head.jobId, seq: head.seq, date: Date(timeIntervalSince1970: Double(head.timestamp) / 1_000),
                    content: content, completion: completion, failureText: failureText))
        }
        switch FrameType(rawValue: head.type) {
        case .jobStarted: return event(.started(try payload(JobStartedPayload.self)))
        case .jobProgress:
            let progress = try payload(JobProgressPayload.self)
            if progress.keepAlive == true { return .other }
            return event(progress.status == StatusText.cancelled ? .cancelled : .progress(progress))
        case .batchInit: return event(.photosStarted(try payload(BatchInitPayload.self)))
        case .batchProgress: return event(.photos(try payload(BatchProgressPayload.self)))
        case .batchComplete: return event(.photosCompleted(try payload(BatchCompletePayload.self)))
        case .batchCanceling: return event(.cancelled)
        case .jobComplete:
            let complete = try payload(JobCompletePayload.self)
            return event(.completed(JobSummary(complete)), completion: complete)
        case .error:
            let failure = try payload(Failure.self)
            // Such a frame is not an event of the job, and its number has no meaning.
            if [.unauthorized, .notFound].contains(failure.error.code) { return .rejected(failure.error) }
            return event(.failed(failure.error), failureText: failure.userMessage)
        case .reconnected: return .reconnected(seq: head.seq, try payload(ReconnectedPayload.self))
        case .pong: return .pong(clientTime: (try? payload(PongPayload.self))?.clientTime)
        case .ping: return .ping
        case .resultsUpdated:
            let update = try payload(ResultsUpdatedPayload.self)
            return .resultsUpdated(
                ResultsUpdate(
                    jobID: head.jobId, date: Date(timeIntervalSince1970: Double(head.timestamp) / 1_000),
                    resultsRevision: update.resultsRevision, improved: update.improved, message: update.message))
        case .ready, .readyAck, nil: return .other
        }
    }

    /// The members of an `error` frame that this client reads. A code introduced by a newer server is kept unchanged.
    private struct Failure: Decodable {
        var code: String
        var message: String
        var userMessage: String?
        var retryable: Bool

        var error: BookstrackError {
            BookstrackError(BookstrackError.Code(rawValue: code), message, isRetryable: retryable)
        }
    }
}
