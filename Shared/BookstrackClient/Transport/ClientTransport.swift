import BookstrackContract
public import Foundation

/// How the library reaches a server. It is a protocol so that an app's tests need no network.
///
/// ``NetworkTransport`` is the real implementation; `BookstrackClientTesting` provides an in-memory server.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns the complete response, whatever its status.
    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer

    /// Sends a request and returns when the head of the response has arrived; the body is read as it arrives.
    func stream(_ request: ClientRequest) async throws(TransportFailure) -> ClientStream

    /// Opens a WebSocket.
    ///
    /// - Throws: ``TransportFailure``; ``TransportFailure/refused(_:)`` if the server responds with any status other than 101, and
    ///   ``TransportFailure/unsupported(_:)`` if this platform has no WebSockets.
    func webSocket(_ request: ClientRequest, subprotocol: String) async throws(TransportFailure)
        -> any WebSocketConnection
}

/// A request to the API.
public struct ClientRequest: Sendable, Equatable {
    /// The method: `GET`, `POST` or `DELETE`.
    public var method: String
    /// Path and query, relative to the server's base URL.
    public var target: String
    /// Header fields by name.
    public var headers: [String: String]
    /// The body, if there is one.
    public var body: Data?
    /// How long to wait for the server to send something.
    public var timeout: Duration

    /// Creates a request.
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

/// A complete response.
public struct ClientAnswer: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// Header fields by name, which is in lower case.
    public var headers: [String: String]
    /// The body; empty if there is none.
    public var body: Data

    /// Creates a response.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The delay in `Retry-After` (RFC 9110 §10.2.3), at most an hour; nil if there is none or if it is a date.
    var retryAfter: Duration? {
        headers["retry-after"].flatMap { Int($0) }.map { .seconds(min(max($0, 0), 3_600)) }
    }

    /// The `error` object of a failed response; nil if the body is not an envelope of the contract. A code that this client does not know is kept
    /// unchanged.
    var failure: Failure? { try? JSONDecoder().decode(Refusal.self, from: body).error }

    /// The content of a failure envelope (http-api.md "Envelope").
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

/// A response whose body is read as it arrives.
public struct ClientStream: Sendable {
    /// The head: status and header fields, without the body.
    public var head: ClientAnswer
    /// Chunks of the body. If the connection breaks, iteration throws a ``TransportFailure``. Cancelling the reading task, or releasing the stream
    /// before its end, closes the connection.
    public var body: AsyncThrowingStream<Data, any Error>

    /// Creates a stream.
    public init(head: ClientAnswer, body: AsyncThrowingStream<Data, any Error>) {
        self.head = head
        self.body = body
    }
}

/// An open WebSocket.
public protocol WebSocketConnection: Sendable {
    /// Returns the next text message, or the close of the connection, after which it is not called again.
    func receive() async throws(TransportFailure) -> WebSocketMessage

    /// Sends a text message.
    func send(_ text: String) async throws(TransportFailure)

    /// Closes the WebSocket with code 1000, without waiting for the server.
    func close() async
}

/// A message received on a WebSocket, or its close.
public enum WebSocketMessage: Sendable, Equatable {
    /// A text message.
    case text(String)
    /// The server closed the WebSocket with this code (RFC 6455 §7.4); 1005 if the server specified none.
    case closed(code: Int)
}

/// Why there is no response, or why it broke off.
public enum TransportFailure: Error, Sendable, Equatable {
    /// No connection could be established, for example because nothing is listening, there is no network, or the TLS handshake failed; or the URL or
    /// path is invalid.
    case unreachable(String)
    /// The server sent nothing for too long.
    case timedOut
    /// The connection broke. The server may have carried out the request.
    case lost(String)
    /// The server's certificate is not signed by a trusted authority, is not valid at this time, or is for another name (RFC 9110 §4.3.4); or the
    /// trusted authorities cannot be read.
    case untrusted(String)
    /// The response cannot be read, for example because it is not HTTP or is too large.
    case malformed(String)
    /// The server did not accept the WebSocket, or its response to a stream request is not an event stream.
    case refused(ClientAnswer)
    /// This platform does not support the transport.
    case unsupported(String)
    /// The task was cancelled.
    case cancelled
}
