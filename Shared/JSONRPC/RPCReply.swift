package import NIOCore

/// The response to one request, which may be sent later and from any thread. Only the first response counts.
package struct RPCReply<Result: Codable & Sendable>: Sendable {
    private let ticket: ReplyTicket

    init(_ ticket: ReplyTicket) {
        self.ticket = ticket
    }

    /// Length of the received parameters in bytes, for handlers that limit how much they keep.
    package var parameterBytes: Int { ticket.parameterBytes }

    /// Whether the caller is still waiting for a response. A handler checks this before doing work that may no longer be needed.
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

    /// Answers with an error, as if the handler had thrown it.
    package func fail(_ error: any Error) {
        ticket.answer(.failure(error))
    }
}

/// The right to answer one request. If it is released without a response, the request is answered with -32603, so no caller waits in vain.
final class ReplyTicket: Sendable {
    private let connection: RPCConnection
    private let serial: InboundRequests.Serial
    /// Length of the request's parameters in bytes.
    let parameterBytes: Int

    /// A ticket was released without a response: a bug in this program.
    struct Unanswered: Error {}

    init(_ connection: RPCConnection, serial: InboundRequests.Serial, parameterBytes: Int) {
        self.parameterBytes = parameterBytes
        self.connection = connection
        self.serial = serial
    }

    deinit {
        connection.finish(serial, .failure(Unanswered()))
    }

    /// Whether the peer is still waiting: false after a cancellation, the deadline, a response, or the end of the connection.
    var isAwaited: Bool { connection.isAwaited(serial) }

    /// Answers the request; only the first response counts.
    func answer(_ outcome: Result<ByteBuffer, any Error>) {
        connection.finish(serial, outcome)
    }
}
