import BookstrackContract
import NIOCore
import SuiteMethods
import Testing
@testable import APIProxy

@Suite("Client messages") struct ClientMessageTests {
    private let now = NIODeadline.uptimeNanoseconds(1_000)
    private var messages = ClientMessages()

    private mutating func append(_ opcode: UInt8, _ payload: [UInt8], fin: Bool = true) {
        messages.append(ByteBuffer(bytes: WebSocketClient.frame(opcode: opcode, payload, fin: fin)))
    }

    @Test("a fragmented message is complete when its last fragment arrives")
    mutating func fragments() throws {
        append(1, Array("re".utf8), fin: false)
        #expect(try messages.next(at: now) == nil)
        append(0, Array("ady".utf8))
        #expect(try messages.next(at: now) == .message("ready"))
        #expect(try messages.next(at: now) == nil)
    }

    @Test("a message may have at most 64 KiB, counting all its fragments")
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

    @Test("50 messages in 10 s are accepted, the 51st is a flood, and a message counts toward the limit for only 10 s")
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

@Suite("A socket's delivery record and frame headers") struct SocketStateTests {
    @Test("an event is delivered once, and control frames are always delivered and leave the sequence number unchanged")
    func ledger() {
        var ledger = DeliveryLedger()
        #expect(ledger.admit(.control, seq: 0) == true)
        #expect(!ledger.begun)
        #expect(ledger.admit(.event, seq: 1) == true)
        #expect(ledger.admit(.event, seq: 1) == false)
        #expect(ledger.admit(.progress, seq: 5) == true)
        #expect(ledger.admit(.progress, seq: 4) == false)
        #expect(ledger.admit(.reconnected, seq: 9) == true)
        #expect(ledger.lastSeq == 5)
        #expect(ledger.admit(.terminal, seq: 6) == true)
        #expect(ledger.lastSeq == 6)
    }

    @Test("ready_ack starts the stream, and a later reconnected frame still sets its position")
    func ledgerReady() {
        var ledger = DeliveryLedger()
        #expect(ledger.admit(.readyAck, seq: 17) == true)
        #expect(ledger.begun)
        #expect(ledger.lastSeq == 0)
        #expect(ledger.admit(.reconnected, seq: 17) == true)
        #expect(ledger.lastSeq == 17)
    }

    @Test("a stream that starts with a reconnected frame continues after that frame's sequence number")
    func ledgerReconnected() {
        var ledger = DeliveryLedger()
        #expect(ledger.admit(.reconnected, seq: 17) == true)
        #expect(ledger.begun)
        #expect(ledger.lastSeq == 17)
        #expect(ledger.admit(.event, seq: 17) == false)
        #expect(ledger.admit(.event, seq: 18) == true)
    }

    @Test("a frame header takes two, four or ten bytes")
    func lengths() {
        for (length, header) in [(125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            #expect(WebSocketWire.text(ByteBuffer(repeating: 0, count: length)).readableBytes == length + header)
        }
    }
}
