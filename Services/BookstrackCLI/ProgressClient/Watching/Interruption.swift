/// Why a watcher has to connect again.
struct Interruption {
    var reason: String
    /// Least wait before the next try.
    var atLeast = Duration.zero

    /// A closed socket; throws for close codes after which connecting again is no use (websocket.md "Close codes").
    init(closedWith code: UInt16?, reason: String) throws(ClientFailure) {
        switch code {
        case 1002, 1003, 1007, 1008, 1009, 1010:
            throw .malformed("the server closed the socket with \(code ?? 0) \(reason)")
        case 1012: self.reason = "the server is restarting"
        case 1013:
            self.reason = "the server is overloaded"
            atLeast = .seconds(30)
        case let code?: self.reason = "the connection was closed with \(code) \(reason)"
        case nil: self.reason = reason.isEmpty ? "the connection was lost" : reason
        }
    }

    /// A connection that was not made; nil when trying again is no use. The first one only waits for a busy server.
    init?(_ failure: ClientFailure, isFirst: Bool) {
        switch failure {
        case .upgradeRefused(let answer) where [429, 502, 503, 504].contains(answer.status):
            reason = APIRefusal(answer).obstacle
            atLeast = .seconds(answer.retryAfterSeconds ?? 0)
        case .unreachable, .timedOut, .closedEarly:
            guard !isFirst else { return nil }
            reason = failure.description
        default: return nil
        }
    }
}
