import NIOCore
import NIOWebSocket

/// Puts the fragments of a client's messages together (RFC 6455 §5.4), within the limit of spec/03.
struct MessageAssembler {
    /// Longest message, all fragments together, in bytes.
    static let limit = 65_536

    enum Fault: Error, Equatable {
        /// Longer than `limit`.
        case tooLarge
        /// The frames do not follow each other as RFC 6455 says.
        case outOfOrder
    }

    private var fragments: ByteBuffer?

    /// Takes a data or continuation frame; a message when it was the last of one.
    mutating func append(_ opcode: WebSocketOpcode, fin: Bool, _ payload: ByteBuffer) throws(Fault) -> ByteBuffer? {
        guard (opcode == .continuation) == (fragments != nil) else { throw .outOfOrder }
        var message = fragments ?? ByteBuffer()
        fragments = nil
        guard message.readableBytes + payload.readableBytes <= Self.limit else { throw .tooLarge }
        guard fin else {
            message.writeImmutableBuffer(payload)
            fragments = message
            return nil
        }
        guard message.readableBytes > 0 else { return payload }
        message.writeImmutableBuffer(payload)
        return message
    }
}
