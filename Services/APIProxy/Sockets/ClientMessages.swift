import BookstrackContract
import NIOCore

/// Assembles a client's messages, and detects invalid messages and floods.
struct ClientMessages {
    enum Arrival: Equatable {
        case message(String)
        case ping(ByteBuffer)
        case pong
        /// The payload of a close frame, which is either empty or a valid code followed by text.
        case close(ByteBuffer)
    }

    private var reader = ClientFrameReader()
    private var message: ByteBuffer?
    private var text = UTF8Check()
    private var flood = FloodLimit()

    /// Adds received bytes; `next` reads them.
    mutating func append(_ bytes: ByteBuffer) { reader.append(bytes) }

    /// The next message or control frame; nil until more bytes arrive. Must not be called again after a violation.
    mutating func next(at now: NIODeadline) throws(ClientViolation) -> Arrival? {
        while let part = try reader.next() {
            switch part {
            case .data(let bytes, let endsMessage):
                if let text = try add(bytes, endsMessage: endsMessage, at: now) { return .message(text) }
            case .ping(let payload): return .ping(payload)
            case .pong: return .pong
            case .close(let payload):
                try Self.check(closePayload: payload)
                return .close(payload)
            }
        }
        return nil
    }

    /// Adds bytes to a message, and returns it once it is complete. An invalid UTF-8 byte closes the socket immediately, not only at the end of the
    /// message (RFC 6455 §8.1).
    private mutating func add(
        _ bytes: ByteBuffer, endsMessage: Bool, at now: NIODeadline
    ) throws(ClientViolation) -> String? {
        guard text.accepts(bytes.readableBytesView), !endsMessage || text.isComplete else {
            throw ClientViolation(code: .invalidPayload, reason: "message is not UTF-8")
        }
        var whole = bytes
        if message != nil || !endsMessage {
            // Copied, because the received bytes are a slice of a larger read.
            whole = message ?? ByteBuffer()
            message = nil
            whole.writeImmutableBuffer(bytes)
        }
        guard endsMessage else {
            message = whole
            return nil
        }
        guard flood.admit(at: now) else {
            throw ClientViolation(code: .policyViolation, reason: "more than \(FloodLimit.messages) messages in 10 s")
        }
        return String(buffer: whole)
    }

    /// Throws for a malformed close payload or a code that may not be sent (RFC 6455 §5.5.1, §7.4; the codes 1012 to 1014 were registered later).
    private static func check(closePayload payload: ByteBuffer) throws(ClientViolation) {
        guard payload.readableBytes > 0 else { return }
        guard let code = payload.getInteger(at: payload.readerIndex, as: UInt16.self) else {
            throw .malformed("close payload of one byte")
        }
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw .malformed("close code \(code) may not be sent")
        }
        var text = UTF8Check()
        guard text.accepts(payload.readableBytesView.dropFirst(2)), text.isComplete else {
            throw ClientViolation(code: .invalidPayload, reason: "close reason is not UTF-8")
        }
    }
}

/// Checks UTF-8 incrementally (Unicode Standard, table 3-7 "Well-Formed UTF-8 Byte Sequences").
struct UTF8Check {
    /// Number of continuation bytes that the character still needs.
    private var missing: UInt8 = 0
    /// Valid values of the next continuation byte.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the bytes so far end with a complete character.
    var isComplete: Bool { missing == 0 }

    /// Checks further bytes; false if they are not valid UTF-8.
    mutating func accepts(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { accepts($0) } }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            defer { allowed = 0x80...0xBF }
            missing -= 1
            return allowed.contains(byte)
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { allowed = 0xA0...0xBF }
            if byte == 0xED { allowed = 0x80...0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { allowed = 0x90...0xBF }
            if byte == 0xF4 { allowed = 0x80...0x8F }
        default: return false
        }
        return true
    }
}

/// Counts a socket's messages: more than 50 within any 10 s are a flood (websocket.md "Close codes", close 1008).
struct FloodLimit {
    static let messages = 50
    static let window = TimeAmount.seconds(10)

    /// Times of the messages in the window, oldest first; never more than `messages`.
    private var recent: [NIODeadline] = []

    /// Counts a message; false if it exceeds the limit.
    mutating func admit(at now: NIODeadline) -> Bool {
        if let fresh = recent.firstIndex(where: { $0 + Self.window > now }) {
            recent.removeFirst(fresh)
        } else {
            recent = []
        }
        guard recent.count < Self.messages else { return false }
        recent.append(now)
        return true
    }
}
