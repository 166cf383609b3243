package import NIOCore
package import Observability

/// The handlers of a process by method name: a value built at startup.
///
/// If a handler throws an ``RPCApplicationError``, that error is the response; an error that is not meant for callers is logged and answered with
/// -32603, without its text. A notification with the name of a request runs the request's handler and receives no response.
package struct RPCRouter: Sendable {
    private(set) var requests: [String: RequestHandler] = [:]
    private(set) var notifications: [String: @Sendable (ByteBuffer, RPCConnection) throws -> Void] = [:]

    private(set) var observers: [any RPCObserver] = []

    /// Runs its argument, which calls the handlers for the frames of one read; handlers with tasks are only started. A process may set a closure that
    /// collects the work of the inline handlers and performs it afterwards, still on the event loop. The closure must not block.
    package var gather: @Sendable (_ handlers: () -> Void) -> Void = { $0() }

    package init() {}

    /// The names of the methods and notifications that have a handler, sorted. Tests compare them with the methods that a process must implement.
    package var methodNames: [String] { (Array(requests.keys) + notifications.keys).sorted() }

    package mutating func observe(with observer: any RPCObserver) { observers.append(observer) }

    /// Handles a method in one task per request. The task is cancelled if the caller cancels the call or disconnects, or if the deadline passes.
    package mutating func handle<Method: RPCMethod>(
        _ method: Method.Type,
        _ body: @escaping @Sendable (Method.Parameters, RPCConnection) async throws -> Method.Result
    ) {
        let raw: RequestHandler.TaskBody = { json, connection in
            let parameters = try Self.decode(Method.Parameters.self, json)
            return try BodyCoding.encode(try await body(parameters, connection))
        }
        requests[Method.name] = RequestHandler(
            body: .task(raw), isIdempotent: Method.isIdempotent, deadline: Method.deadline)
    }

    /// Handles a method in one task per request, from JSON to JSON.
    package mutating func handleRaw(
        _ name: String, isIdempotent: Bool = false,
        _ body: @escaping @Sendable (ByteBuffer, RPCConnection) async throws -> ByteBuffer
    ) {
        requests[name] = RequestHandler(body: .task(body), isIdempotent: isIdempotent, deadline: nil)
    }

    /// Handles an idempotent method with large responses, from JSON to JSON. A request's task starts only while fewer than
    /// ``RPCLimits/maximumPacedBytes`` bytes are waiting for its caller or in preparation. Until then, the request waits in order of arrival or, if
    /// ``RPCLimits/maximumPacedRequests`` are already waiting, is refused.
    ///
    /// - Parameter answerBytes: The usual length of a response in bytes.
    package mutating func handlePaced(
        _ name: String, answerBytes: Int,
        _ body: @escaping @Sendable (ByteBuffer, RPCConnection) async throws -> ByteBuffer
    ) {
        requests[name] = RequestHandler(body: .task(body), isIdempotent: true, pacedBytes: answerBytes, deadline: nil)
    }

    /// Handles a hot method: `body` runs on the event loop in order of arrival and must not block. It may answer later and from any thread, through
    /// the reply. ``RPCReply/isAwaited`` reflects cancellation and the deadline.
    package mutating func handleInline<Method: RPCMethod>(
        _ method: Method.Type,
        _ body: @escaping @Sendable (Method.Parameters, RPCConnection, RPCReply<Method.Result>) -> Void
    ) {
        let raw: RequestHandler.InlineBody = { json, connection, ticket in
            do {
                body(try Self.decode(Method.Parameters.self, json), connection, RPCReply(ticket))
            } catch {
                ticket.answer(.failure(error))
            }
        }
        requests[Method.name] = RequestHandler(
            body: .inline(raw), isIdempotent: Method.isIdempotent, deadline: Method.deadline)
    }

    /// Like ``handleInline(_:_:)``, but `body` receives the parameters as JSON. The method counts as not idempotent, and the deadline of a caller
    /// that sends none is ``RPCLimits/defaultDeadline``.
    package mutating func handleRawInline<Result>(
        _ name: String, answering result: Result.Type,
        _ body: @escaping @Sendable (ByteBuffer, RPCConnection, RPCReply<Result>) -> Void
    ) {
        requests[name] = RequestHandler(
            body: .inline { json, connection, ticket in body(json, connection, RPCReply(ticket)) }, deadline: nil)
    }

    /// Handles a notification on the event loop, in order of arrival; `body` must not block.
    package mutating func on<Notification: RPCNotification>(
        _ notification: Notification.Type,
        _ body: @escaping @Sendable (Notification.Parameters, RPCConnection) -> Void
    ) {
        notifications[Notification.name] = { json, connection in
            body(try BodyCoding.decode(Notification.Parameters.self, from: json), connection)
        }
    }

    /// Handles a notification's JSON on the event loop, in order of arrival; `body` must not block.
    ///
    /// The bytes are a slice of the read buffer: copy them to keep them.
    package mutating func onRaw(
        _ name: String, _ body: @escaping @Sendable (ByteBuffer, RPCConnection) -> Void
    ) {
        notifications[name] = body
    }

    private static func decode<Parameters: Decodable>(
        _ type: Parameters.Type, _ json: ByteBuffer
    ) throws(InvalidParameters) -> Parameters {
        do {
            return try BodyCoding.decode(type, from: json)
        } catch {
            throw InvalidParameters(error)
        }
    }
}

/// The handler for one method's requests.
struct RequestHandler: Sendable {
    /// Runs in a task of its own.
    typealias TaskBody = @Sendable (ByteBuffer, RPCConnection) async throws -> ByteBuffer
    /// Runs on the event loop and answers through the ticket.
    typealias InlineBody = @Sendable (ByteBuffer, RPCConnection, ReplyTicket) -> Void

    enum Body: Sendable {
        case task(TaskBody)
        case inline(InlineBody)
    }

    let body: Body
    /// Whether a response that does not fit may be replaced by `overloaded`, because the caller can repeat the call.
    var isIdempotent = false
    /// The usual length of a paced method's responses, in bytes; nil for other methods.
    var pacedBytes: Int?
    /// The deadline for callers that send none; nil for raw handlers, whose methods are not known here.
    let deadline: Duration?
}

/// Observes every request to this process (command-line.md "tail", metrics.md), including those that reached no handler, for example because the
/// method is unknown. Notifications, pings and frames that are not valid requests are not reported.
package protocol RPCObserver: Sendable {
    /// Called once per request, on any thread, when its response has been queued or its caller is gone; must not block.
    func answered(_ request: AnsweredRequest)
}

/// A request and its outcome.
package struct AnsweredRequest: Sendable {
    /// How a request ended, from its caller's point of view.
    package enum Outcome: Sendable, Equatable {
        case succeeded
        /// An error intended for the caller; `code` is its application code or its JSON-RPC error number.
        case refused(code: String)
        /// An internal error in this program.
        case failed
        /// The caller cancelled the call, or its connection closed.
        case abandoned
    }

    /// The method name as the peer sent it, at most 128 characters.
    package var method: String
    package var peer: PeerCredentials
    package var outcome: Outcome
    /// The trace and start of the request, and the lines and exceptions recorded so far.
    package var activity: Activity
}
