import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A WebSocket over `URLSessionWebSocketTask`, for Apple platforms.
///
/// It also compiles on Linux, where the task exists but cannot connect, so that compile errors are found there.
final class URLSessionSocket: WebSocketConnection {
    private let session: URLSession
    private let task: URLSessionWebSocketTask

    private init(session: URLSession, task: URLSessionWebSocketTask) {
        self.session = session
        self.task = task
    }

    /// A session retains its delegate until the session is invalidated.
    deinit { session.invalidateAndCancel() }

    /// Connects and returns when the server has accepted the WebSocket.
    static func open(_ request: URLRequest) async throws(TransportFailure) -> URLSessionSocket {
        let opening = Opening()
        let session = URLSession(configuration: .ephemeral, delegate: opening, delegateQueue: nil)
        let task = session.webSocketTask(with: request)
        // The longest server frame (websocket.md "Frames"), plus a margin.
        task.maximumMessageSize = 2 << 20
        let socket = URLSessionSocket(session: session, task: task)
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    opening.wait(continuation)
                    task.resume()
                }
            } onCancel: {
                session.invalidateAndCancel()
            }
            return socket
        } catch {
            throw TransportFailure(error)
        }
    }

    func receive() async throws(TransportFailure) -> WebSocketMessage {
        do {
            switch try await task.receive() {
            case .string(let text): return .text(text)
            case .data(let data): return .text(String(decoding: data, as: UTF8.self))
            @unknown default: throw TransportFailure.lost("unknown message type")
            }
        } catch {
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

/// Waits for the response to the upgrade. Sendable because its only state is protected by a lock.
private final class Opening: NSObject, URLSessionWebSocketDelegate, @unchecked Sendable {
    private let waiting = Locked<CheckedContinuation<Void, any Error>?>(nil)

    func wait(_ continuation: CheckedContinuation<Void, any Error>) { waiting.withLock { $0 = continuation } }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        take()?.resume()
    }

    /// Does nothing, because `receive` reports the close.
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {}

    /// Handles a refused upgrade, which ends the task. The response contains the status, but its body cannot be read.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let waiting = take() else { return }
        if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
            waiting.resume(throwing: TransportFailure.refused(ClientAnswer(head: response)))
        } else {
            waiting.resume(
                throwing: TransportFailure(error ?? TransportFailure.lost("the server did not accept the WebSocket")))
        }
    }

    private func take() -> CheckedContinuation<Void, any Error>? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}
