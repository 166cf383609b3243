package import BookstrackContract
import JSONRPC

/// A client's text or binary message, verbatim. Sent by api-proxy, which rejects bytes that are not UTF-8.
package enum SocketMessage: RPCNotification {
    package static let name = "sockets.message"

    package struct Parameters: Codable, Sendable {
        /// The socket on which the message arrived.
        package var socket: SocketID
        /// The text of the message, or the bytes of a binary message as UTF-8.
        package var text: String

        package init(socket: SocketID, text: String) {
            self.socket = socket
            self.text = text
        }
    }
}

/// A notification about a socket without further details.
package struct SocketNotice: Codable, Sendable {
    /// The socket that the notification is about.
    package var socket: SocketID

    package init(socket: SocketID) { self.socket = socket }
}

/// Reports a PING or PONG frame from the client. Sent by api-proxy, at most every 5 s per socket, for the heartbeat (websocket.md "Heartbeat").
package enum SocketAlive: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.alive"
}

/// Reports that a socket has taken everything delivered to it, up to the end of a page (`SocketDelivery.Kind.page`). Sent by api-proxy.
package enum SocketCaughtUp: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.caughtUp"
}

/// Reports that a socket has closed. Sent by api-proxy.
package enum SocketClosed: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.closed"
}

/// Reports that a socket's client speaks the v1 dialect; api-proxy repeats this when it resumes the socket. Sent by progress-host.
package enum SocketSpeaksV1: RPCNotification {
    package typealias Parameters = SocketNotice
    package static let name = "sockets.speaksV1"
}

/// Closes sockets after everything previously delivered to them has been written. Sent by progress-host.
package enum CloseSockets: RPCNotification {
    package static let name = "sockets.close"

    package struct Parameters: Codable, Sendable {
        /// The sockets to close.
        package var sockets: [SocketID]
        /// Status code in the close frame.
        package var code: CloseCode
        /// Reason in the close frame, at most 123 bytes (RFC 6455 §5.5).
        package var reason: String

        package init(sockets: [SocketID], code: CloseCode, reason: String) {
            self.sockets = sockets
            self.code = code
            self.reason = reason
        }
    }
}
