import NIOCore

/// What answers the requests of one name.
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
    /// For callers that send none; nil for raw handlers, whose methods are not known here.
    let deadline: Duration?
}
