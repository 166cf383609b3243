import BookstrackClient
import BookstrackClientTesting

/// A transport that changes or records requests, and leaves streams and WebSockets to the server.
protocol ForwardingTransport: ClientTransport {
    var server: FakeServer { get }
}

extension ForwardingTransport {
    func stream(_ request: ClientRequest) async throws(TransportFailure) -> ClientStream {
        try await server.stream(request)
    }

    func webSocket(_ request: ClientRequest, subprotocol: String) async throws(TransportFailure)
        -> any WebSocketConnection
    {
        try await server.webSocket(request, subprotocol: subprotocol)
    }
}
