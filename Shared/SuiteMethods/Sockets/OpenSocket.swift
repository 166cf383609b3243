import JSONRPC

/// Asks progress-host whether a socket may be opened, before the 101, and registers it. From api-proxy.
///
/// Frames for the socket may be delivered before the answer to this call; the proxy keeps them until the upgrade is done.
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `TOO_MANY_CONNECTIONS`, `SERVICE_UNAVAILABLE`.
package enum OpenSocket: RPCMethod {
    package static let name = "sockets.open"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The name that the proxy gives it.
        package var socket: SocketID
        /// What the client asked for.
        package var request: SocketRequest

        package init(socket: SocketID, request: SocketRequest) {
            self.socket = socket
            self.request = request
        }
    }

    package struct Result: Codable, Sendable {
        /// Number of the token that was proved, to be given back when the socket is resumed; nil when tokenless.
        package var tokenNumber: Int64?

        package init(tokenNumber: Int64?) { self.tokenNumber = tokenNumber }
    }
}
