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
    /// Whether an answer that does not fit may be replaced by `overloaded`, because the caller can ask again.
    var isIdempotent = false
    /// The usual length of an answer that is so large that requests wait for room for it; nil for others.
    var pacedBytes: Int?
    /// For callers that send none; nil for raw handlers, whose methods are not known here.
    let deadline: Duration?
}
