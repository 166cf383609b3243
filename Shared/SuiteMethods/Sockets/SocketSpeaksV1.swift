import JSONRPC

/// A socket's client has shown that it speaks the v1 dialect; to be given back when the socket is resumed. From progress-host.
package enum SocketSpeaksV1: RPCNotification {
    package static let name = "sockets.speaksV1"

    package struct Parameters: Codable, Sendable {
        /// The socket whose client it is.
        package var socket: SocketID

        package init(socket: SocketID) { self.socket = socket }
    }
}
