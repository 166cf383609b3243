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
