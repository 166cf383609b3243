import JSONRPC

/// A socket has taken all that was delivered to it, up to the end of a page (`SocketDelivery.Kind.page`). From api-proxy.
package enum SocketCaughtUp: RPCNotification {
    package static let name = "sockets.caughtUp"

    package struct Parameters: Codable, Sendable {
        /// The socket that has taken everything.
        package var socket: SocketID

        package init(socket: SocketID) { self.socket = socket }
    }
}
