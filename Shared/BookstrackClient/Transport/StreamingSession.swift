import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` whose responses are read chunk by chunk.
///
/// `URLSession.bytes` does not exist on Linux, so a delegate receives the chunks on every platform.
final class StreamingSession: Sendable {
    private let session: URLSession
    private let delegate = Delegate()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    var configuration: URLSessionConfiguration { session.configuration }

    /// Invalidates the session, which would otherwise retain its delegate. Open streams continue to their end.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and returns when the response head has arrived.
    func start(_ request: URLRequest) async throws(TransportFailure) -> ClientStream {
        let task = session.dataTask(with: request)
        let (heads, head) = AsyncThrowingStream<ClientAnswer, any Error>.makeStream()
        let (body, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        let box = CancellableTask(task)
        source.onTermination = { _ in box.cancel() }
        // The exchange exists before anything can end the task, and its streams keep whatever arrives before they are read.
        delegate.add(task, Delegate.Exchange(head: head, body: source))
        task.resume()
        do {
            // The task is not cancelled in `head.onTermination`, which is also called when the stream is released before it is finished.
            let head = try await withTaskCancellationHandler {
                var arrivals = heads.makeAsyncIterator()
                return try await arrivals.next()
            } onCancel: {
                box.cancel()
            }
            guard let head else { throw TransportFailure.cancelled }
            return ClientStream(head: head, body: body)
        } catch {
            throw TransportFailure(error)
        }
    }

    /// A task that can only be cancelled. Sendable because `cancel` may be called on any thread (URLSessionTask documentation).
    private struct CancellableTask: @unchecked Sendable {
        private let task: URLSessionTask

        init(_ task: URLSessionTask) { self.task = task }

        func cancel() { task.cancel() }
    }
}

/// Passes incoming data to the exchange to which it belongs. Sendable because the exchanges are protected by a lock and nothing else is stored.
private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// A request in progress.
    struct Exchange {
        /// The head of the response; finished once it has arrived.
        let head: AsyncThrowingStream<ClientAnswer, any Error>.Continuation
        let body: AsyncThrowingStream<Data, any Error>.Continuation
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    func add(_ task: URLSessionTask, _ exchange: Exchange) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let head = exchanges.withLock { $0[dataTask.taskIdentifier]?.head }
        if let response = response as? HTTPURLResponse {
            head?.yield(ClientAnswer(head: response))
            head?.finish()
            completionHandler(.allow)
        } else {
            head?.finish(throwing: TransportFailure.malformed("the response is not HTTP"))
            completionHandler(.cancel)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(task.follows(redirectTo: request) ? request : nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        _ = exchanges.withLock { $0[dataTask.taskIdentifier]?.body }?.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        let failure = error.map { TransportFailure($0) }
        // Has no effect if the head has arrived.
        exchange.head.finish(
            throwing: failure ?? TransportFailure.lost("the connection closed before the response arrived"))
        exchange.body.finish(throwing: failure)
    }
}

extension URLSessionTask {
    /// Whether to follow a redirect: only of a GET request, and only to the same host. Another request would become a GET or lose its body, and
    /// another host would receive the job's token.
    func follows(redirectTo target: URLRequest) -> Bool {
        originalRequest?.httpMethod == "GET" && originalRequest?.url?.host() == target.url?.host()
    }
}

extension ClientAnswer {
    /// The head of a response; header names in lower case.
    init(head response: HTTPURLResponse) {
        self.init(status: response.statusCode)
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
    }
}
