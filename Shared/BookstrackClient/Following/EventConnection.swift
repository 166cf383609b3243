import BookstrackContract
import Foundation

/// An open connection that delivers the events of one job, over any transport.
protocol EventConnection: Sendable {
    /// Returns the next message, and the frame from which it was read (nil if it was polled). When there are no more messages, throws the reason.
    func next() async throws(ConnectionEnd) -> (message: ServerMessage, frame: String?)

    /// Sends a client message; does nothing if the transport is one-way.
    func send(_ text: String) async

    /// Closes the connection, after which a pending `next` throws; has no effect on a poll, which only cancelling its task ends.
    func close() async
}

/// Why a connection delivers no more messages.
struct ConnectionEnd: Error {
    let loss: EventFollower.Loss

    init(_ loss: EventFollower.Loss) { self.loss = loss }

    init(_ failure: TransportFailure) { loss = .failed(failure) }
}

/// A job and the client that follows it.
///
/// The token is read for each connection and each poll, because it may have been refreshed since the previous one.
struct FollowedJob: Sendable {
    let id: JobID
    let client: BookstrackClient

    /// Opens the connection for an attempt.
    func open(_ attempt: EventFollower.Attempt) async throws(ConnectionEnd) -> any EventConnection {
        if attempt.transport == .polling { return PollingConnection(job: self, wait: client.policy.pollWait) }
        let token = try await token
        do {
            return attempt.transport == .webSocket
                ? try await openSocket(attempt, token) : try await openStream(attempt, token)
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// Opens a WebSocket with the token as a subprotocol. This keeps the token out of URLs and logs, and avoids a header field that `URLSession`
    /// reserves.
    private func openSocket(_ attempt: EventFollower.Attempt, _ token: String) async throws(TransportFailure)
        -> any EventConnection
    {
        var target = APIPath.websocket(id)
        if attempt.isReconnect { target += "&reconnect=true" }
        if let since = attempt.since { target += "&since=\(since)" }
        if attempt.followsResults { target += "&follow=results" }
        let socket = try await client.transport.webSocket(
            ClientRequest("GET", target, timeout: .seconds(10)), subprotocol: "bookstrack-auth.\(token)")
        let connection = SocketConnection(socket: socket)
        await connection.send(#"{"type":"ready"}"#)
        return connection
    }

    private func openStream(_ attempt: EventFollower.Attempt, _ token: String) async throws(TransportFailure)
        -> any EventConnection
    {
        var query = attempt.since.map { ["since=\($0)"] } ?? []
        if attempt.followsResults { query.append("follow=results") }
        let target = APIPath.events(id) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        let headers = ["Accept": "text/event-stream", "Authorization": "Bearer \(token)"]
        // The timeout is the duration of three heartbeats (streams.md "Server-sent events").
        let stream = try await client.transport.stream(
            ClientRequest("GET", target, headers: headers, timeout: .seconds(45)))
        let type = stream.head.headers["content-type"] ?? ""
        guard stream.head.status == 200, type.hasPrefix("text/event-stream") else {
            throw .refused(await stream.refusal)
        }
        return StreamConnection(stream)
    }

    /// The job's current token.
    fileprivate var token: String {
        get async throws(ConnectionEnd) {
            do {
                return try await client.token(of: id)
            } catch {
                throw ConnectionEnd(.rejected(error))
            }
        }
    }
}

extension ClientStream {
    /// The response to a refused request, with about the first 64 KiB of its body, or less if the connection breaks. A response with status 200 that
    /// is not an event stream has the status 406 here, and no body.
    fileprivate var refusal: ClientAnswer {
        get async {
            var answer = head
            // A proxy has changed the content type or sends a page of its own. The body may be the stream itself, which does not end.
            guard answer.status != 200 else {
                answer.status = 406
                return answer
            }
            do {
                for try await piece in body {
                    answer.body.append(piece)
                    if answer.body.count >= 64 << 10 { break }
                }
            } catch {}
            return answer
        }
    }
}

/// Events over a WebSocket.
private struct SocketConnection: EventConnection {
    let socket: any WebSocketConnection

    func next() async throws(ConnectionEnd) -> (message: ServerMessage, frame: String?) {
        let message: WebSocketMessage
        do {
            message = try await socket.receive()
        } catch {
            throw ConnectionEnd(error)
        }
        switch message {
        case .closed(let code): throw ConnectionEnd(.closed(code: code))
        case .text(let text): return try read(text)
        }
    }

    func send(_ text: String) async { try? await socket.send(text) }

    func close() async { await socket.close() }
}

/// Events over an event stream.
private struct StreamConnection: EventConnection {
    private let body: Task<Void, Never>
    /// Read by only one `next` at a time.
    private let messages: AsyncThrowingStream<String, any Error>

    init(_ stream: ClientStream) {
        let (messages, source) = AsyncThrowingStream<String, any Error>.makeStream()
        self.messages = messages
        body = Task {
            var parser = EventStreamParser()
            do {
                for try await piece in stream.body {
                    for data in try parser.read(piece) { source.yield(data) }
                }
                source.finish(throwing: ConnectionEnd(.ended(retry: parser.retry)))
            } catch {
                source.finish(throwing: ConnectionEnd(TransportFailure(error)))
            }
        }
    }

    func next() async throws(ConnectionEnd) -> (message: ServerMessage, frame: String?) {
        let text: String?
        do {
            var iterator = messages.makeAsyncIterator()
            text = try await iterator.next()
        } catch let end as ConnectionEnd {
            throw end
        } catch {
            throw ConnectionEnd(TransportFailure(error))
        }
        guard let text else { throw ConnectionEnd(TransportFailure.cancelled) }
        return try read(text)
    }

    func send(_ text: String) {}

    func close() { body.cancel() }
}

/// Events by long polling: each read of the job's state after the first waits for the next event.
private actor PollingConnection: EventConnection {
    private let job: FollowedJob
    private let wait: Duration
    /// The `ETag` of the last state. It is derived from the state, because proxies that compress responses remove or change the header field.
    private var tag: String?

    init(job: FollowedJob, wait: Duration) {
        self.job = job
        self.wait = wait
    }

    func next() async throws(ConnectionEnd) -> (message: ServerMessage, frame: String?) {
        var headers = ["Authorization": "Bearer \(try await job.token)"]
        headers["If-None-Match"] = tag
        let seconds = min(max(wait.components.seconds, 1), 30)
        let request = ClientRequest(
            "GET", APIPath.job(job.id) + (tag == nil ? "" : "?wait=\(seconds)"), headers: headers,
            timeout: .seconds(seconds + 15))
        let answer: ClientAnswer
        do {
            answer = try await job.client.transport.answer(to: request)
        } catch {
            throw ConnectionEnd(error)
        }
        switch answer.status {
        case 304: return (.other, nil)
        case 200:
            guard let state = try? JSONDecoder().decode(SuccessEnvelope<JobState>.self, from: answer.body).data else {
                throw ConnectionEnd(.failed(.refused(answer)))
            }
            tag = "W/\"\(state.version)\""
            return (.event(JobEvent(polled: state)), nil)
        default: throw ConnectionEnd(.failed(.refused(answer)))
        }
    }

    func send(_ text: String) {}

    func close() {}
}

extension JobEvent {
    /// Creates the event that corresponds to a polled state.
    init(polled state: JobState) {
        let summary = JobSummary(state)
        let content: Content =
            switch state.status {
            case .completed: .completed(summary)
            case .cancelled: .cancelled
            case .failed: .failed(BookstrackError(.jobFailed, "the job failed"))
            case .pending, .processing, .cancelling: .state(summary)
            }
        self.init(jobID: state.jobId, seq: state.lastSeq, date: Date(), content: content)
    }
}

private func read(_ text: String) throws(ConnectionEnd) -> (message: ServerMessage, frame: String?) {
    do {
        return (try ServerMessage(text), text)
    } catch {
        throw ConnectionEnd(.malformed(error))
    }
}
