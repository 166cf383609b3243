import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A WebSocket over `URLSessionWebSocketTask`, for Apple platforms.
///
/// It also compiles on Linux, where the task exists but cannot connect, so that compile errors are found there.
final class URLSessionSocket: WebSocketConnection {
    /// `URLSession` ends even an open WebSocket if nothing arrives for this long. The client's own pings detect a silent connection earlier.
    private static let idleTimeout: TimeInterval = 86_400

    private let session: URLSession
    private let task: URLSessionWebSocketTask

    private init(session: URLSession, task: URLSessionWebSocketTask) {
        self.session = session
        self.task = task
    }

    /// Invalidates the session, which would otherwise retain its delegate.
    deinit { session.invalidateAndCancel() }

    /// Connects and returns when the server has accepted the WebSocket. The request's timeout applies only until then.
    static func open(_ request: URLRequest, _ configuration: URLSessionConfiguration) async throws(TransportFailure)
        -> URLSessionSocket
    {
        var idleRequest = request
        idleRequest.timeoutInterval = idleTimeout
        // A request cannot exceed the limits of its session.
        let configuration = configuration.changed { $0.timeoutIntervalForRequest = idleTimeout }
        let opening = SocketOpening()
        let session = URLSession(configuration: configuration, delegate: opening, delegateQueue: nil)
        let task = session.webSocketTask(with: idleRequest)
        // The longest server frame (websocket.md "Frames"), plus a margin.
        task.maximumMessageSize = 2 << 20
        // If opening fails or is cancelled, the socket is released, which ends the task.
        let socket = URLSessionSocket(session: session, task: task)
        task.resume()
        try await opening.wait(atMost: .seconds(request.timeoutInterval))
        return socket
    }

    func receive() async throws(TransportFailure) -> WebSocketMessage {
        do {
            // `receive` does not return when its task is cancelled, but it does when the WebSocket is closed.
            let message = try await withTaskCancellationHandler {
                try await task.receive()
            } onCancel: {
                task.cancel(with: .normalClosure, reason: nil)
            }
            switch message {
            case .string(let text): return .text(text)
            case .data(let data): return .text(String(decoding: data, as: UTF8.self))
            @unknown default: throw TransportFailure.lost("unknown message type")
            }
        } catch {
            if Task.isCancelled { throw .cancelled }
            // When the server closes, `receive` throws, and only the close code shows that the server closed the connection.
            if task.closeCode != .invalid { return .closed(code: task.closeCode.rawValue) }
            throw TransportFailure(error)
        }
    }

    func send(_ text: String) async throws(TransportFailure) {
        do {
            try await task.send(.string(text))
        } catch {
            throw TransportFailure(error)
        }
    }

    func close() async { task.cancel(with: .normalClosure, reason: nil) }
}

/// Waits for the response to the upgrade. Sendable because its properties are constant and Sendable.
final class SocketOpening: NSObject, URLSessionWebSocketDelegate, @unchecked Sendable {
    private let openings: AsyncThrowingStream<Void, any Error>
    private let opened: AsyncThrowingStream<Void, any Error>.Continuation

    override init() { (openings, opened) = AsyncThrowingStream.makeStream() }

    /// Returns when the server has accepted the WebSocket.
    func wait(atMost timeout: Duration) async throws(TransportFailure) {
        let limit = Task { [opened] in
            try await Task.sleep(for: timeout)
            opened.finish(throwing: TransportFailure.timedOut)
        }
        defer { limit.cancel() }
        do {
            var outcomes = openings.makeAsyncIterator()
            guard try await outcomes.next() != nil else { throw TransportFailure.cancelled }
        } catch {
            throw TransportFailure(error)
        }
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        opened.yield()
        opened.finish()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(task.follows(redirectTo: request) ? request : nil)
    }

    /// Does nothing, because `receive` reports the close.
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {}

    /// Handles a refused upgrade, which ends the task; has no effect if the WebSocket was open. The response contains the status, but its body cannot
    /// be read.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
            opened.finish(throwing: TransportFailure.refused(ClientAnswer(head: response)))
        } else {
            opened.finish(
                throwing: TransportFailure(error ?? TransportFailure.lost("the server did not accept the WebSocket")))
        }
    }
}
