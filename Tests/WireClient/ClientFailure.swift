/// The reason why a request or a socket failed.
package enum ClientFailure: Error, Equatable, CustomStringConvertible {
    /// Nothing is listening, or the network blocks the connection.
    case unreachable(address: String, reason: String)
    /// No complete response within the request's timeout.
    case timedOut
    /// The connection ended before a response was complete or a message was sent.
    case closedEarly
    /// The response violates the protocol, is too large or cannot be decoded.
    case malformed(String)
    /// The server refused to upgrade the connection to a WebSocket.
    case upgradeRefused(HTTPAnswer)
    /// The calling task was cancelled.
    case cancelled

    package var description: String {
        switch self {
        case .unreachable(let address, let reason): "nothing answers at \(address) (\(reason))"
        case .timedOut: "the request timed out"
        case .closedEarly: "the connection ended before the response was complete or the message was sent"
        case .malformed(let reason): "unexpected response: \(reason)"
        case .upgradeRefused(let answer): "the server refused the WebSocket with status \(answer.status)"
        case .cancelled: "cancelled"
        }
    }

    /// Converts any error of a call; one of an unknown type becomes `malformed`.
    init(_ error: any Error) {
        switch error {
        case let failure as ClientFailure: self = failure
        case is CancellationError: self = .cancelled
        default: self = .malformed(String(describing: error))
        }
    }
}
