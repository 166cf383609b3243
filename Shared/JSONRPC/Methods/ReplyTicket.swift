import NIOCore

/// The right to answer one request. Given up without an answer it answers -32603, so that no caller waits for nothing.
final class ReplyTicket: Sendable {
    private let connection: RPCConnection
    private let method: String
    private let serial: InboundRequests.Serial
    /// Length of the request's parameters.
    let parameterBytes: Int

    /// A ticket was dropped without an answer: a fault of this program.
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
