import BookstrackContract
public import Foundation

/// How the library reaches a server: one protocol, so that an app's tests need no network.
///
/// ``NetworkTransport`` is the real one; `BookstrackClientTesting` has a server in memory.
public protocol ClientTransport: Sendable {
    /// Sends a request and waits for the whole answer, with any status.
    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer

    /// Sends a request and returns with the head of its answer; the body is read as it arrives.
    func stream(_ request: ClientRequest) async throws(TransportFailure) -> ClientStream

    /// Opens a WebSocket.
    ///
    /// - Throws: ``TransportFailure/refused(_:)`` if the server answers anything but 101, ``TransportFailure/unsupported(_:)`` if this platform has
    ///   no WebSockets.
    func webSocket(_ request: ClientRequest, subprotocol: String) async throws(TransportFailure)
        -> any WebSocketConnection
}

/// A request of the API.
public struct ClientRequest: Sendable, Equatable {
    /// `GET`, `POST` or `DELETE`.
    public var method: String
    /// Path and query below the server's base address.
    public var target: String
    /// Fields of the head.
    public var headers: [String: String]
    /// The body; nil without one.
    public var body: Data?
    /// Idle timeout of the server.
    public var timeout: Duration

    /// Makes a request.
    public init(
        _ method: String, _ target: String, headers: [String: String] = [:], body: Data? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A complete answer.
public struct ClientAnswer: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// Fields of the head; names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Makes an answer.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// `Retry-After` in seconds (RFC 9110 §10.2.3), at most an hour.
    var retryAfter: Duration? {
        headers["retry-after"].flatMap { Int($0) }.map { .seconds(min(max($0, 0), 3_600)) }
    }

    /// The `error` object of a failed answer; nil if the body is no envelope of the contract. A code that is unknown here stays as it is.
    var failure: Failure? { try? JSONDecoder().decode(Refusal.self, from: body).error }

    /// What a failure envelope says (http-api.md "Envelope").
    struct Failure: Decodable {
        var message: String
        var code: String
        var details: [String: DetailValue]?
        var retryable: Bool
    }

    private struct Refusal: Decodable {
        var error: Failure
    }
}

/// An answer whose body is read as it arrives.
public struct ClientStream: Sendable {
    /// The head: status and fields, without the body.
    public var head: ClientAnswer
    /// Pieces of the body. A broken connection ends them with a ``TransportFailure``. Ending the iteration closes the connection.
    public var body: AsyncThrowingStream<Data, any Error>

    /// Makes a stream.
    public init(head: ClientAnswer, body: AsyncThrowingStream<Data, any Error>) {
        self.head = head
        self.body = body
    }
}

/// An open WebSocket.
public protocol WebSocketConnection: Sendable {
    /// The next text, or the close. After the close it is not called again.
    func receive() async throws(TransportFailure) -> WebSocketMessage

    /// Sends a text.
    func send(_ text: String) async throws(TransportFailure)

    /// Closes with 1000, without waiting for the server.
    func close() async
}

/// What arrives on a WebSocket.
public enum WebSocketMessage: Sendable, Equatable {
    /// A text message.
    case text(String)
    /// The server closed with this code (RFC 6455 §7.4); 1005 if it named none.
    case closed(code: Int)
}

/// Why there is no answer, or no more of it.
public enum TransportFailure: Error, Sendable, Equatable {
    /// Nothing is listening, the name is unknown, or there is no network.
    case unreachable(String)
    /// The server was silent for too long.
    case timedOut
    /// The connection broke. The server may have carried out the request.
    case lost(String)
    /// The server's certificate is not signed by a known authority, has expired, or is for another name (RFC 9110 §4.3.4).
    case untrusted(String)
    /// The answer is not HTTP, or too large to be read.
    case malformed(String)
    /// The server did not open the WebSocket, or answered a stream with an error.
    case refused(ClientAnswer)
    /// This platform has no such transport.
    case unsupported(String)
    /// The task was cancelled.
    case cancelled
}
