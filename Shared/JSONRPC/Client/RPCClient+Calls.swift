package import NIOCore

extension RPCClient {
    /// As ``RPCConnection/call(_:_:deadline:)`` on the connection of the moment.
    ///
    /// - Throws: ``RPCError``; `notConnected` when there is none.
    package func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, deadline: Duration? = nil
    ) async throws(RPCError) -> Method.Result {
        guard let connection else { throw .notConnected }
        return try await connection.call(method, parameters, deadline: deadline)
    }

    /// As ``RPCConnection/callRaw(_:_:deadline:)`` on the connection of the moment.
    ///
    /// - Throws: ``RPCError``; `notConnected` when there is none.
    package func callRaw(
        _ name: String, _ parameters: ByteBuffer, deadline: Duration
    ) async throws(RPCError) -> ByteBuffer {
        guard let connection else { throw .notConnected }
        return try await connection.callRaw(name, parameters, deadline: deadline)
    }

    /// As ``RPCConnection/call(_:_:completing:)`` on the connection of the moment; `notConnected` when there is none.
    package func call<Method: RPCMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        completing complete: @escaping @Sendable (Result<Method.Result, RPCError>) -> Void
    ) {
        guard let connection else { return complete(.failure(.notConnected)) }
        connection.call(method, parameters, completing: complete)
    }

    /// As ``RPCConnection/callRaw(_:_:deadline:completing:)`` on the connection of the moment; `notConnected` when there is none.
    package func callRaw(
        _ name: String, _ parameters: ByteBuffer, deadline: Duration,
        completing complete: @escaping @Sendable (Result<ByteBuffer, RPCError>) -> Void
    ) {
        guard let connection else { return complete(.failure(.notConnected)) }
        connection.callRaw(name, parameters, deadline: deadline, completing: complete)
    }

    /// As ``RPCConnection/notify(_:_:)``; false, and nothing kept, when there is no connection.
    @discardableResult
    package func notify<Notification: RPCNotification>(
        _ notification: Notification.Type, _ parameters: Notification.Parameters
    ) -> Bool {
        connection?.notify(notification, parameters) ?? false
    }

    /// As ``RPCConnection/notifyRaw(_:_:)``; false, and nothing kept, when there is no connection.
    @discardableResult
    package func notifyRaw(_ name: String, _ parameters: ByteBuffer) -> Bool {
        connection?.notifyRaw(name, parameters) ?? false
    }
}
