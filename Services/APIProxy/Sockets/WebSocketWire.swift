import BookstrackContract
import NIOCore
import NIOWebSocket

/// Server frames as bytes (RFC 6455 §5.2): never masked, never fragmented. A frame for many sockets is encoded once.
enum WebSocketWire {
    static func text(_ payload: ByteBuffer) -> ByteBuffer { frame(.text, payload) }

    static func ping() -> ByteBuffer { frame(.ping, ByteBuffer()) }

    static func pong(_ payload: ByteBuffer) -> ByteBuffer { frame(.pong, payload) }

    /// A close frame; the reason is cut to what a control frame holds.
    static func close(_ code: CloseCode, reason: String) -> ByteBuffer {
        var payload = ByteBuffer(integer: code.rawValue)
        var text = reason
        while text.utf8.count > 123 { text.removeLast() }
        payload.writeString(text)
        return frame(.connectionClose, payload)
    }

    /// The echo of a peer's close frame, which carries the peer's own code (RFC 6455 §5.5.1).
    static func closeEcho(_ payload: ByteBuffer) -> ByteBuffer {
        frame(
            .connectionClose,
            payload.getSlice(at: payload.readerIndex, length: min(2, payload.readableBytes)) ?? payload)
    }

    private static func frame(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) -> ByteBuffer {
        let length = payload.readableBytes
        var buffer = ByteBufferAllocator().buffer(capacity: length + 10)
        buffer.writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
        switch length {
        case ...125: buffer.writeInteger(UInt8(length))
        case ...Int(UInt16.max):
            buffer.writeInteger(UInt8(126))
            buffer.writeInteger(UInt16(length))
        default:
            buffer.writeInteger(UInt8(127))
            buffer.writeInteger(UInt64(length))
        }
        buffer.writeImmutableBuffer(payload)
        return buffer
    }
}
