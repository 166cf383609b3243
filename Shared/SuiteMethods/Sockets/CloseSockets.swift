package import BookstrackContract
import JSONRPC

/// Closes sockets after what was delivered to them before has been written. From progress-host.
package enum CloseSockets: RPCNotification {
    package static let name = "sockets.close"

    package struct Parameters: Codable, Sendable {
        package var sockets: [SocketID]
        package var code: CloseCode
        package var reason: String

        package init(sockets: [SocketID], code: CloseCode, reason: String) {
            self.sockets = sockets
            self.code = code
            self.reason = reason
        }
    }
}
