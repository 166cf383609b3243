package import NIOCore

/// Something that came over a WebSocket.
package struct SocketEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A whole text message.
        case text(ByteBuffer)
        /// A whole binary message.
        case binary(ByteBuffer)
        /// A PING frame; it has been answered unless the socket was told not to.
        case ping
        case pong
        /// The end; nothing comes after it. Without a code the connection was cut or closed without one.
        case closed(code: UInt16?, reason: String)
    }

    package var kind: Kind
    /// When its last byte was read.
    package var receivedAt: NIODeadline

    package init(_ kind: Kind, receivedAt: NIODeadline = .now()) {
        self.kind = kind
        self.receivedAt = receivedAt
    }

    /// The bytes of a text or binary message.
    package var message: ByteBuffer? {
        switch kind {
        case .text(let bytes), .binary(let bytes): bytes
        case .ping, .pong, .closed: nil
        }
    }
}
