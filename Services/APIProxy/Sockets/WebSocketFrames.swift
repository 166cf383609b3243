import BookstrackContract
import NIOCore
import NIOWebSocket

/// A violation by the client, for which its socket is closed with this code and reason.
struct ClientViolation: Error, Equatable {
    var code: CloseCode
    var reason: String

    static func malformed(_ reason: String) -> Self { Self(code: .protocolError, reason: reason) }
}

/// Reads a client's frames from the bytes of its connection, and refuses violations of RFC 6455 §5 as early as
/// possible.
///
/// The payload of a data frame is passed on as it arrives, so that invalid UTF-8 can be refused before the message ends; a control frame is passed on
/// as a whole. NIO's decoder accepts unmasked frames and lengths that are not minimal, and holds a frame until it is complete.
struct ClientFrameReader {
    /// Maximum length of a message including all fragments, in bytes (websocket.md "Frames").
    static let messageLimit = 65_536
    /// Maximum length of a control frame's payload, in bytes (RFC 6455 §5.5).
    private static let controlLimit = 125

    enum Part: Equatable {
        /// Bytes of a text or binary message.
        case data(ByteBuffer, endsMessage: Bool)
        case ping(ByteBuffer)
        case pong(ByteBuffer)
        case close(ByteBuffer)
    }

    private struct Header {
        var opcode: WebSocketOpcode
        var isFinal: Bool
        var length: Int
        var mask: WebSocketMaskingKey
    }

    /// The data frame whose payload is arriving.
    private struct OpenFrame {
        var isFinal: Bool
        var mask: WebSocketMaskingKey
        var received = 0
        var missing: Int
    }

    private var unread: ByteBuffer?
    private var frame: OpenFrame?
    /// Total length announced by the message's frames so far, in bytes; nil between messages.
    private var messageLength: Int?

    /// Adds received bytes; `next` reads them.
    mutating func append(_ bytes: ByteBuffer) {
        guard var rest = unread else {
            unread = bytes
            return
        }
        rest.writeImmutableBuffer(bytes)
        unread = rest
    }

    /// The next part; nil until more bytes arrive. Must not be called again after a violation.
    mutating func next() throws(ClientViolation) -> Part? {
        guard var bytes = unread else { return nil }
        unread = nil
        defer { keep(bytes) }
        if let frame { return payload(of: frame, &bytes) }
        let start = bytes
        guard let header = try readHeader(&bytes) else { return nil }
        guard header.opcode.isControlOpcode else { return payload(of: try open(header), &bytes) }
        guard var payload = bytes.readSlice(length: header.length) else {
            bytes = start
            return nil
        }
        payload.webSocketUnmask(header.mask)
        return switch header.opcode {
        case .ping: .ping(payload)
        case .pong: .pong(payload)
        default: .close(payload)
        }
    }

    /// Keeps the unread bytes. Up to the size of a control frame they are copied, because the received bytes are a slice of a larger read.
    private mutating func keep(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        unread = bytes.readableBytes <= Self.controlLimit + 14 ? ByteBuffer(bytes: bytes.readableBytesView) : bytes
    }

    /// Starts a data frame: the first frame of a message or, if one has begun, its continuation (RFC 6455 §5.4).
    private mutating func open(_ header: Header) throws(ClientViolation) -> OpenFrame {
        guard (header.opcode == .continuation) == (messageLength != nil) else {
            throw .malformed("fragments out of order")
        }
        let before = messageLength ?? 0
        guard header.length <= Self.messageLimit - before else {
            throw ClientViolation(code: .messageTooBig, reason: "message is over 64 KiB")
        }
        messageLength = before + header.length
        return OpenFrame(isFinal: header.isFinal, mask: header.mask, missing: header.length)
    }

    private mutating func payload(of opened: OpenFrame, _ bytes: inout ByteBuffer) -> Part? {
        var opened = opened
        frame = opened
        let count = min(opened.missing, bytes.readableBytes)
        guard var payload = bytes.readSlice(length: count), count > 0 || opened.missing == 0 else { return nil }
        payload.webSocketUnmask(opened.mask, indexOffset: opened.received)
        opened.received = (opened.received + count) % 4
        opened.missing -= count
        frame = opened.missing == 0 ? nil : opened
        let endsMessage = frame == nil && opened.isFinal
        if endsMessage { messageLength = nil }
        return .data(payload, endsMessage: endsMessage)
    }
}

// MARK: Headers

extension ClientFrameReader {
    /// Reads a header (RFC 6455 §5.2); nil until it is complete. A violation in its first bytes is reported before the others arrive.
    private func readHeader(_ bytes: inout ByteBuffer) throws(ClientViolation) -> Header? {
        guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return nil }
        guard first & 0x70 == 0 else { throw .malformed("a reserved bit is set") }
        let opcode = WebSocketOpcode(encodedWebSocketOpcode: first & 0x0F)
        guard let opcode, opcode.isKnown else { throw .malformed("unknown opcode") }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControlOpcode else { throw .malformed("fragmented control frame") }
        guard let second = bytes.getInteger(at: bytes.readerIndex + 1, as: UInt8.self) else { return nil }
        guard second & 0x80 != 0 else { throw .malformed("frame is not masked") }
        guard !opcode.isControlOpcode || second & 0x7F <= Self.controlLimit else {
            throw .malformed("control frame is over 125 bytes")
        }
        guard let (length, size) = try length(second & 0x7F, bytes),
            let key = bytes.getBytes(at: bytes.readerIndex + 2 + size, length: 4),
            let mask = WebSocketMaskingKey(key)
        else { return nil }
        bytes.moveReaderIndex(forwardBy: 2 + size + 4)
        return Header(opcode: opcode, isFinal: isFinal, length: length, mask: mask)
    }

    /// The payload's length, and the size of the extended length field in bytes; nil until that field has arrived. Only the shortest form is valid
    /// (RFC 6455 §5.2).
    private func length(_ short: UInt8, _ bytes: ByteBuffer) throws(ClientViolation) -> (length: Int, size: Int)? {
        let place = bytes.readerIndex + 2
        switch short {
        case 126:
            guard let length = bytes.getInteger(at: place, as: UInt16.self) else { return nil }
            guard length > 125 else { throw .malformed("length is not minimal") }
            return (Int(length), 2)
        case 127:
            guard let length = bytes.getInteger(at: place, as: UInt64.self) else { return nil }
            guard length > UInt16.max else { throw .malformed("length is not minimal") }
            guard let length = Int(exactly: length) else { throw .malformed("length has its highest bit set") }
            return (length, 8)
        default: return (Int(short), 0)
        }
    }
}

extension WebSocketOpcode {
    fileprivate var isKnown: Bool {
        switch self {
        case .continuation, .text, .binary, .connectionClose, .ping, .pong: true
        default: false
        }
    }
}

/// Server frames as bytes (RFC 6455 §5.2): never masked, never fragmented. A frame for many sockets is encoded once.
enum WebSocketWire {
    static func text(_ payload: ByteBuffer) -> ByteBuffer { frame(.text, payload) }

    static func ping() -> ByteBuffer { frame(.ping, ByteBuffer()) }

    static func pong(_ payload: ByteBuffer) -> ByteBuffer { frame(.pong, payload) }

    /// A close frame; the reason is truncated to fit into a control frame.
    static func close(_ code: CloseCode, reason: String) -> ByteBuffer {
        var payload = ByteBuffer(integer: code.rawValue)
        var text = reason
        while text.utf8.count > 123 { text.removeLast() }
        payload.writeString(text)
        return frame(.connectionClose, payload)
    }

    /// The echo of a client's close frame, which carries the client's own code (RFC 6455 §5.5.1).
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
