package import BookstrackContract
import JSONRPC

/// A client's text or binary message, verbatim. From api-proxy. Bytes that are not UTF-8 never get here.
package enum SocketMessage: RPCNotification {
    package static let name = "sockets.message"

    package struct Parameters: Codable, Sendable {
        /// The socket on which it arrived.
        package var socket: SocketID
        /// The message.
        package var text: String

        package init(socket: SocketID, text: String) {
            self.socket = socket
            self.text = text
        }
    }
}

/// A notice about a socket without further details.
package struct SocketNotice: Codable, Sendable {
    /// The socket.
    package var socket: SocketID

    package init(socket: SocketID) { self.socket = socket }
}

/// Bytes that are not a message, such as a PONG, arrived from the client. From api-proxy, at most every 5 s per socket;
/// feeds the heartbeat (websocket.md "Heartbeat").
package enum SocketAlive: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.alive"
}

/// A socket has taken all that was delivered to it, up to the end of a page (`SocketDelivery.Kind.page`). From api-proxy.
package enum SocketCaughtUp: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.caughtUp"
}

/// A socket is gone. From api-proxy.
package enum SocketClosed: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.closed"
}

/// A socket's client has shown that it speaks the v1 dialect; api-proxy repeats this when it resumes the socket. From
/// progress-host.
package enum SocketSpeaksV1: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.speaksV1"
}

/// Closes sockets after what was delivered to them before has been written. From progress-host.
package enum CloseSockets: RPCNotification {
    package static let name = "sockets.close"

    package struct Parameters: Codable, Sendable {
        /// The sockets to close.
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
