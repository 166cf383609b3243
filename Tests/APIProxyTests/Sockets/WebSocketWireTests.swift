import BookstrackContract
import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Server frames as bytes") struct WebSocketWireTests {
    private func bytes(_ buffer: ByteBuffer) -> [UInt8] { Array(buffer.readableBytesView) }

    @Test("a text frame is final, unmasked, and as long as it declares (RFC 6455 §5.7)")
    func text() {
        #expect(bytes(WebSocketWire.text(ByteBuffer(string: "Hello"))) == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    }

    @Test("a ping is empty, and a pong contains the ping's payload")
    func pings() {
        #expect(bytes(WebSocketWire.ping()) == [0x89, 0x00])
        #expect(bytes(WebSocketWire.pong(ByteBuffer(bytes: [1, 2]))) == [0x8A, 0x02, 1, 2])
    }

    @Test(
        "a frame's length has the shortest possible encoding",
        arguments: [
            (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]), (256, [0x81, 126, 1, 0]),
            (65_535, [0x81, 126, 0xFF, 0xFF]), (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func lengths(length: Int, header: [UInt8]) {
        let frame = bytes(WebSocketWire.text(ByteBuffer(repeating: 0x61, count: length)))
        #expect(Array(frame.prefix(header.count)) == header)
        #expect(frame.count == header.count + length)
    }

    @Test(
        "a close frame contains the code and the reason",
        arguments: [
            (CloseCode.normal, "job completed", [0x03, 0xE8]), (.serviceRestart, "", [0x03, 0xF4]),
            (.tryAgainLater, "slow", [0x03, 0xF5]),
        ] as [(CloseCode, String, [UInt8])])
    func close(code: CloseCode, reason: String, number: [UInt8]) {
        let frame = bytes(WebSocketWire.close(code, reason: reason))
        #expect(frame.prefix(2) == [0x88, UInt8(2 + reason.utf8.count)])
        #expect(Array(frame[2...].prefix(2)) == number)
        #expect(String(decoding: frame.dropFirst(4), as: UTF8.self) == reason)
    }

    @Test(
        "a long reason is cut between characters to fit into a control frame",
        arguments: [
            (String(repeating: "x", count: 123), 123), (String(repeating: "x", count: 124), 123),
            (String(repeating: "é", count: 70), 122), (String(repeating: "👩‍👩‍👧", count: 10), 108),
        ])
    func longReason(reason: String, length: Int) {
        let frame = bytes(WebSocketWire.close(.normal, reason: reason))
        #expect(frame.count == 4 + length)
        #expect(Int(frame[1]) == 2 + length)
        #expect(reason.hasPrefix(String(decoding: frame.dropFirst(4), as: UTF8.self)))
    }

    @Test(
        "a peer's close frame is echoed with its code and without its reason",
        arguments: [
            ([], [0x88, 0]), ([0x03, 0xE8], [0x88, 2, 0x03, 0xE8]),
            ([0x0F, 0xA0, 0x62, 0x79, 0x65], [0x88, 2, 0x0F, 0xA0]),
        ] as [([UInt8], [UInt8])])
    func echo(payload: [UInt8], frame: [UInt8]) {
        #expect(bytes(WebSocketWire.closeEcho(ByteBuffer(bytes: payload))) == frame)
    }

    private func delivery(_ kind: SocketDelivery.Kind, _ text: String) -> SocketDelivery {
        SocketDelivery(sockets: [], kind: kind, seq: 1, frame: ByteBuffer(string: text))
    }

    @Test(
        "a frame that is neither a ping nor plain text is sent unchanged",
        arguments: [
            SocketDelivery.Kind.event, .progress, .replayed, .page, .terminal, .reconnected, .readyAck, .control,
        ])
    func delivered(kind: SocketDelivery.Kind) {
        #expect(delivery(kind, "{}").webSocketBytes.map(bytes) == [0x81, 2, 0x7B, 0x7D])
    }

    @Test("an application ping is followed by a PING frame")
    func deliveredPing() {
        #expect(delivery(.ping, "{}").webSocketBytes.map(bytes) == [0x81, 2, 0x7B, 0x7D, 0x89, 0])
    }

    @Test(
        "plain text is sent without its JSON quotation marks, and a value that is not a string is not sent",
        arguments: [
            (#""PONG""#, "PONG"), (#""\u00e9""#, "é"), ("{}", nil), ("x", nil),
        ] as [(String, String?)])
    func deliveredText(frame: String, text: String?) {
        let sent = delivery(.text, frame).webSocketBytes.map { String(decoding: bytes($0).dropFirst(2), as: UTF8.self) }
        #expect(sent == text)
    }
}

@Suite("Checking UTF-8 in pieces") struct UTF8CheckTests {
    private func check(_ bytes: [UInt8]) -> (isValid: Bool, isComplete: Bool) {
        var check = UTF8Check()
        let isValid = check.accepts(bytes)
        return (isValid, check.isComplete)
    }

    @Test(
        "a well-formed sequence is complete only at its last byte",
        arguments: [
            [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xEC, 0x80, 0x80], [0xED, 0x9F, 0xBF],
            [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF],
            [0xF4, 0x8F, 0xBF, 0xBF],
        ] as [[UInt8]])
    func wellFormed(bytes: [UInt8]) {
        for count in 0...bytes.count {
            let outcome = check(Array(bytes.prefix(count)))
            #expect(outcome.isValid, "after \(count) bytes")
            #expect(outcome.isComplete == (count == 0 || count == bytes.count), "after \(count) bytes")
        }
    }

    @Test(
        "ill-formed sequences are refused",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x7F], [0xC2, 0xC2], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80],
            [0xED, 0xBF, 0xBF], [0xE1, 0x80, 0x7F], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xFE], [0xFF], [0x61, 0x80],
        ] as [[UInt8]])
    func illFormed(bytes: [UInt8]) {
        #expect(!check(bytes).isValid)
    }

    @Test("text may be cut between any two bytes", arguments: Array(1...11))
    func pieces(size: Int) {
        let bytes = Array("aé銀😀 ok".utf8)
        var check = UTF8Check()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let isAccepted = check.accepts(bytes[start..<min(start + size, bytes.count)])
            #expect(isAccepted)
        }
        #expect(check.isComplete)
    }
}
