/// The answer to one request, given later and from any thread. Only the first answer counts.
package struct RPCReply<Result: Codable & Sendable>: Sendable {
    private let ticket: ReplyTicket

    init(_ ticket: ReplyTicket) {
        self.ticket = ticket
    }

    /// Length of the request's parameters as they arrived, for handlers that bound what they keep.
    package var parameterBytes: Int { ticket.parameterBytes }

    /// Whether the caller still waits; false once it has cancelled the call, its deadline has passed or its connection has closed. A
    /// handler asks before it does work that is no longer wanted.
    package var isAwaited: Bool { ticket.isAwaited }

    /// Answers with a result.
    package func succeed(_ result: Result) {
        do {
            ticket.answer(.success(try BodyCoding.encode(result)))
        } catch {
            ticket.answer(.failure(error))
        }
    }

    /// Answers with an error, as if a handler had thrown it.
    package func fail(_ error: any Error) {
        ticket.answer(.failure(error))
    }
}
