package import BookstrackContract
import JSONRPC

/// Closes sockets after what was delivered to them before has been written. From progress-host.
package enum CloseSockets: RPCNotification {
    package static let name = "sockets.close"

    package struct Parameters: Codable, Sendable {
        /// Those to close.
        package var sockets: [SocketID]
        /// For the close frame.
        package var code: CloseCode
        /// For the close frame, at most 123 bytes (RFC 6455 §5.5).
        package var reason: String

        package init(sockets: [SocketID], code: CloseCode, reason: String) {
            self.sockets = sockets
            self.code = code
            self.reason = reason
        }
    }
}
