import BookstrackClient
import BookstrackClientTesting

/// A transport that changes or records some of the calls, and leaves the others to the server.
protocol ForwardingTransport: ClientTransport {
    var server: FakeServer { get }
}

extension ForwardingTransport {
    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        try await server.answer(to: request)
    }

    func stream(_ request: ClientRequest) async throws(TransportFailure) -> ClientStream {
        try await server.stream(request)
    }

    func webSocket(_ request: ClientRequest, subprotocol: String) async throws(TransportFailure)
        -> any WebSocketConnection
    {
        try await server.webSocket(request, subprotocol: subprotocol)
    }
}

/// A server whose first response to certain requests arrives only when it is released, even if the request has been cancelled.
actor LateResponse: ForwardingTransport {
    let server: FakeServer
    private let target: String
    private var held: CheckedContinuation<Void, Never>?
    private var isReleased = false

    /// - Parameter target: The start of the requests' targets.
    init(of server: FakeServer, to target: String) {
        self.server = server
        self.target = target
    }

    var isHolding: Bool { held != nil }

    func release() {
        isReleased = true
        held?.resume()
        held = nil
    }

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        let answer = try await server.answer(to: request)
        if request.target.hasPrefix(target), !isReleased {
            await withCheckedContinuation { held = $0 }
        }
        return answer
    }
}

extension FakeServer {
    /// Whether a client has opened a WebSocket.
    var hasWebSocket: Bool { calls.contains { $0.hasPrefix("WEBSOCKET") } }
}
