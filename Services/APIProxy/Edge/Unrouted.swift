import NIOHTTP1

/// A request that `ConnectionGate` answers in the place of the router.
enum Unrouted {
    /// For a WebSocket.
    case upgrade(HTTPRequestHead)
    /// It breaks HTTP or came too late; without a head when that could not be read.
    case request(HTTPRequestHead?)

    var head: HTTPRequestHead? {
        switch self {
        case .upgrade(let head): head
        case .request(let head): head
        }
    }

    /// As log and tail show it.
    var method: String { head?.method.rawValue ?? "-" }

    /// Path and query, as log and tail show them.
    var target: String { head?.uri ?? "-" }
}
