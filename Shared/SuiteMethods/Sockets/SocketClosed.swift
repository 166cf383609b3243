import JSONRPC

/// A socket is gone. From api-proxy.
package enum SocketClosed: RPCNotification {
    package static let name = "sockets.closed"

    package struct Parameters: Codable, Sendable {
        /// The socket that is gone.
        package var socket: SocketID

        package init(socket: SocketID) { self.socket = socket }
    }
}
