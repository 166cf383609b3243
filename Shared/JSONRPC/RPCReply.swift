package import NIOCore

/// The answer to one request, given later and from any thread. Only the first answer counts.
package struct RPCReply<Result: Codable & Sendable>: Sendable {
    private let ticket: ReplyTicket

    init(_ ticket: ReplyTicket) {
        self.ticket = ticket
    }

    /// Length of the request's parameters as they arrived, for handlers that bound what they keep.
    package var parameterBytes: Int { ticket.parameterBytes }

    /// Whether the caller still waits; false once it has cancelled the call, its deadline has passed or its connection has closed. A
    /// handler checks this before it does work that may no longer be wanted.
    package var isAwaited: Bool { ticket.isAwaited }

    /// Answers with a result.
    package func succeed(_ result: Result) { succeed { try BodyCoding.encode(result) } }

    /// Answers with the JSON of a result.
    package func succeed(json: () throws -> ByteBuffer) {
        do {
            ticket.answer(.success(try json()))
        } catch {
            ticket.answer(.failure(error))
        }
    }

    /// Answers with an error, as if a handler had thrown it.
    package func fail(_ error: any Error) {
        ticket.answer(.failure(error))
    }
}

/// The right to answer one request. If it is dropped without an answer, it answers -32603, so that no caller waits in
/// vain.
final class ReplyTicket: Sendable {
    private let connection: RPCConnection
    private let method: String
    private let serial: InboundRequests.Serial
    /// Length of the request's parameters.
    let parameterBytes: Int

    /// A ticket was dropped without an answer: a bug in this program.
    struct Unanswered: Error {}

    init(_ connection: RPCConnection, method: String, serial: InboundRequests.Serial, parameterBytes: Int) {
        self.parameterBytes = parameterBytes
        self.connection = connection
        self.method = method
        self.serial = serial
    }

    deinit {
        connection.finish(serial, method, .failure(Unanswered()))
    }

    /// Whether the peer still waits: false after a cancel, the deadline, an answer, or the end of the connection.
    var isAwaited: Bool { connection.isAwaited(serial) }

    /// Answers; only the first answer counts.
    func answer(_ outcome: Result<ByteBuffer, any Error>) {
        connection.finish(serial, method, outcome)
    }
}
