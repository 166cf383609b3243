import BookstrackContract
import NIOCore
import NIOWebSocket
import Testing

@testable import APIProxy

@Suite("What a client says") struct ClientMessageTests {
    private let now = NIODeadline.uptimeNanoseconds(0)
    private var messages = ClientMessages()

    private func frame(_ opcode: WebSocketOpcode, _ bytes: [UInt8], fin: Bool = true) -> WebSocketFrame {
        WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(bytes: bytes))
    }

    @Test("a message is whole with its last fragment")
    mutating func fragments() {
        #expect(messages.take(frame(.text, Array("re".utf8), fin: false), at: now) == .part)
        #expect(messages.take(frame(.continuation, Array("ady".utf8)), at: now) == .message("ready"))
    }

    @Test("a continuation of nothing, what is no text, and a flood are refused")
    mutating func refusals() {
        let stray = messages.take(frame(.continuation, []), at: now)
        #expect(stray == .malformed(.protocolError, reason: "fragments out of order") && !stray.endsMessage)
        let binary = messages.take(frame(.binary, [0xFF]), at: now)
        #expect(binary == .refused(.protocolError, reason: "message is not UTF-8") && binary.endsMessage)
        for _ in 1..<FloodLimit.messages { _ = messages.take(frame(.text, []), at: now) }
        #expect(
            messages.take(frame(.text, []), at: now)
                == .refused(.policyViolation, reason: "more than 50 messages in 10 s"))
    }
}
