import JSONRPC

/// A client's text or binary message, verbatim. From api-proxy. Bytes that are not UTF-8 never get here.
package enum SocketMessage: RPCNotification {
    package static let name = "sockets.message"

    package struct Parameters: Codable, Sendable {
        /// Whose message it is.
        package var socket: SocketID
        /// The message.
        package var text: String

        package init(socket: SocketID, text: String) {
            self.socket = socket
            self.text = text
        }
    }
}
