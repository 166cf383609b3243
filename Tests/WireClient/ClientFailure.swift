import Foundation
import NIOCore
import NIOPosix

/// The reason why a request or a socket failed.
package enum ClientFailure: Error, Equatable, CustomStringConvertible {
    /// The address is not an `http` URL.
    case unsupportedAddress(String)
    /// Nothing is listening, or the network blocks the connection.
    case unreachable(address: String, reason: String)
    /// No response within the request's timeout.
    case timedOut
    /// The server closed the connection before the response was complete.
    case closedEarly
    /// The response is larger than `limit` bytes.
    case answerTooLarge(limit: Int)
    /// The server's response violates the protocol.
    case malformed(String)
    /// The server refused to upgrade the connection to a WebSocket.
    case upgradeRefused(HTTPAnswer)
    /// The calling task was cancelled.
    case cancelled

    package var description: String {
        switch self {
        case .unsupportedAddress(let text): "\"\(text)\" is not an address such as http://HOST:PORT"
        case .unreachable(let address, let reason): "nothing answers at \(address) (\(reason))"
        case .timedOut: "the request timed out"
        case .closedEarly: "the server closed the connection before responding"
        case .answerTooLarge(let limit): "the response is larger than \(limit) bytes"
        case .malformed(let reason): "unexpected response: \(reason)"
        case .upgradeRefused(let answer): "the server refused the WebSocket with status \(answer.status)"
        case .cancelled: "cancelled"
        }
    }

    /// Converts any error of a call.
    init(_ error: any Error) {
        switch error {
        case let failure as ClientFailure: self = failure
        case is CancellationError: self = .cancelled
        default: self = .malformed(String(describing: error))
        }
    }
}

/// The reason why a connection failed, in a few words.
enum ConnectReason {
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let single = error.connectionErrors.last { return text(single.error) }
            return "the name \(error.host) is unknown"
        case let error as IOError where error.errnoCode == ECONNREFUSED: return "connection refused"
        case let error as IOError where error.errnoCode == ECONNRESET: return "connection reset"
        case ChannelError.connectTimeout: return "no response within 5 s"
        default: return String(describing: error)
        }
    }
}
