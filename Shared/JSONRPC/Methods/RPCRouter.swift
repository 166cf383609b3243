package import NIOCore

/// The handlers of a process by method name: a value that is built at the start.
///
/// A handler that throws ``RPCApplicationError`` answers that; any other error is logged and answered -32603 without
/// its text. A notification with the name of a request runs the request's handler and answers nothing.
package struct RPCRouter: Sendable {
    private(set) var requests: [String: RequestHandler] = [:]
    private(set) var notifications: [String: @Sendable (ByteBuffer, RPCConnection) throws -> Void] = [:]

    /// They see what was answered.
    private(set) var observers: [any RPCObserver] = []

    /// Without handlers.
    package init() {}

    /// The names with a handler, sorted.
    package var methodNames: [String] { (Array(requests.keys) + notifications.keys).sorted() }

    /// Lets `observer` see what is answered, after those who see it already.
    package mutating func observe(with observer: any RPCObserver) { observers.append(observer) }

    /// Answers a method in a task per request; the task is cancelled when the caller gives up or its deadline passes.
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

    /// Answers a method in a task per request, from JSON to JSON.
    package mutating func handleRaw(
        _ name: String, isIdempotent: Bool = false,
        _ body: @escaping @Sendable (ByteBuffer, RPCConnection) async throws -> ByteBuffer
    ) {
        requests[name] = RequestHandler(body: .task(body), isIdempotent: isIdempotent, deadline: nil)
    }

    /// Answers an idempotent method with large answers, from JSON to JSON. A request's task begins only while less than
    /// ``RPCLimits/maximumPacedBytes`` wait for its caller or are being made; others wait in the order of arrival.
    ///
    /// - Parameter answerBytes: The usual length of an answer.
    package mutating func handlePaced(
        _ name: String, answerBytes: Int,
        _ body: @escaping @Sendable (ByteBuffer, RPCConnection) async throws -> ByteBuffer
    ) {
        requests[name] = RequestHandler(body: .task(body), isIdempotent: true, pacedBytes: answerBytes, deadline: nil)
    }

    /// Answers a hot method: `body` runs on the event loop in the order of arrival, must not block, and answers later
    /// through the reply from any thread. A cancel and the deadline show in ``RPCReply/isAwaited``.
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

    /// Answers a hot method whose parameters `body` reads from their JSON; see ``handleInline(_:_:)``.
    package mutating func handleRawInline<Result>(
        _ name: String, answering result: Result.Type,
        _ body: @escaping @Sendable (ByteBuffer, RPCConnection, RPCReply<Result>) -> Void
    ) {
        requests[name] = RequestHandler(
            body: .inline { json, connection, ticket in body(json, connection, RPCReply(ticket)) }, deadline: nil)
    }

    /// Takes a notification on the event loop, in the order of arrival; `body` must not block.
    package mutating func on<Notification: RPCNotification>(
        _ notification: Notification.Type,
        _ body: @escaping @Sendable (Notification.Parameters, RPCConnection) -> Void
    ) {
        notifications[Notification.name] = { json, connection in
            body(try BodyCoding.decode(Notification.Parameters.self, from: json), connection)
        }
    }

    /// Takes a notification's JSON on the event loop, in the order of arrival; `body` must not block.
    ///
    /// The bytes are a slice of what was read: copy them if they are to be kept.
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
