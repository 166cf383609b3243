import BookstrackContract
import NIOCore
import Testing

@testable import APIProxy

@Suite("What a client says") struct ClientMessageTests {
    private let now = NIODeadline.uptimeNanoseconds(1_000)
    private var messages = ClientMessages()

    private mutating func append(_ opcode: UInt8, _ payload: [UInt8], fin: Bool = true) {
        messages.append(ByteBuffer(bytes: WebSocketClient.frame(opcode: opcode, payload, fin: fin)))
    }

    @Test("a message is whole with its last fragment")
    mutating func fragments() throws {
        append(1, Array("re".utf8), fin: false)
        #expect(try messages.next(at: now) == nil)
        append(0, Array("ady".utf8))
        #expect(try messages.next(at: now) == .message("ready"))
        #expect(try messages.next(at: now) == nil)
    }

    @Test("a message may be 64 KiB long, its fragments together not longer")
    mutating func limit() throws {
        let half = [UInt8](repeating: 0x61, count: 32_768)
        append(1, half, fin: false)
        append(0, half)
        #expect(try messages.next(at: now) == .message(String(repeating: "a", count: 65_536)))
        append(2, half, fin: false)
        append(0, half, fin: false)
        append(0, [0x61])
        #expect(throws: ClientViolation(code: .messageTooBig, reason: "message is over 64 KiB")) {
            try messages.next(at: now)
        }
    }

    @Test("50 messages in 10 s pass, the 51st is a flood, and the window moves on")
    func flood() {
        var limit = FloodLimit()
        var now = NIODeadline.uptimeNanoseconds(1_000)
        for _ in 0..<50 {
            #expect(limit.admit(at: now) == true)
            now = now + .milliseconds(100)
        }
        #expect(limit.admit(at: now) == false)
        // The first message is now 10 s old; the others are not.
        now = .uptimeNanoseconds(1_000) + .seconds(10)
        #expect(limit.admit(at: now) == true)
        #expect(limit.admit(at: now) == false)
    }
}
