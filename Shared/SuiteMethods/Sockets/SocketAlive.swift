import JSONRPC

/// Bytes came from the peer that were no message (a PONG, say). From api-proxy, at most every 5 s per socket; feeds the
/// heartbeat (websocket.md "Heartbeat").
package enum SocketAlive: RPCNotification {
    package static let name = "sockets.alive"

    package struct Parameters: Codable, Sendable {
        /// The socket that lives.
        package var socket: SocketID

        package init(socket: SocketID) { self.socket = socket }
    }
}
