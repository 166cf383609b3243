import BookstrackContract
import NIOCore
import Testing

@testable import APIProxy

/// The cases of sections 2 to 7 of the Autobahn test suite that need no echo, numbered as in that suite, and some more, against the
/// real listener.
@Suite("Clients that keep to RFC 6455, and clients that violate it") struct StrictFrameTests {
    /// The bytes that a case sends, in pieces, and the expected outcome.
    struct Case: Sendable, CustomTestStringConvertible {
        var number: String
        var pieces: [[UInt8]]
        var outcome: Outcome

        enum Outcome: Sendable, Equatable {
            /// progress-host receives these messages, and the socket stays open.
            case messages([String])
            /// The client receives these PONG frames, and the socket stays open.
            case pongs([[UInt8]])
            /// The socket closes with a code, without further input from the client.
            case closes(Int)
            /// The client's close frame is answered with this payload.
            case echoes([UInt8])
        }

        init(_ number: String, _ pieces: [UInt8]..., outcome: Outcome) {
            self.number = number
            self.pieces = pieces
            self.outcome = outcome
        }

        var testDescription: String { number }

        /// The same bytes, one at a time.
        var inOctets: Case {
            var chopped = self
            chopped.number += " in octets"
            chopped.pieces = pieces.flatMap { $0 }.map { [$0] }
            return chopped
        }
    }

    private func check(_ cases: [Case]) async throws {
        try await RunningProxy.run {
            // If a socket waited for its client's close frame, the test would not end.
            $0.timeouts.closeReply = .seconds(3_600)
        } _: { proxy in
            for one in cases { try await check(one, proxy) }
        }
    }

    private func check(_ one: Case, _ proxy: RunningProxy) async throws {
        let client = try await WebSocketClient(port: proxy.port)
        // The socket may close before all pieces are sent.
        for piece in one.pieces { try? await client.connection.send(piece) }
        switch one.outcome {
        case .messages(let texts):
            for text in texts { #expect(try await proxy.host.nextMessage().1 == text, "\(one.number)") }
            try await client.send(opcode: 8, [0x03, 0xE8])
            let frames = try await client.framesToClose().filter { $0.opcode != 10 }
            #expect(frames == [.init(opcode: 8, payload: [0x03, 0xE8])], "\(one.number)")
        case .pongs(let payloads):
            try await client.send(opcode: 8, [])
            let expected = payloads.map { WebSocketClient.Frame(opcode: 10, payload: $0) }
            let frames = try await client.framesToClose()
            #expect(frames == expected + [.init(opcode: 8, payload: [])], "\(one.number)")
        case .closes(let code):
            let frames = try await client.framesToClose().filter { $0.opcode != 10 }
            #expect(frames.map(\.closeCode) == [code], "\(one.number): \(frames)")
        case .echoes(let payload):
            #expect(try await client.framesToClose() == [.init(opcode: 8, payload: payload)], "\(one.number)")
        }
        await #expect(throws: WebSocketClient.Ended.self, "\(one.number)") { try await client.next() }
    }

    @Test("PING frames of up to 125 bytes are answered, whether whole or in pieces, and PONG frames are not")
    func pings() async throws {
        let longest = [UInt8](repeating: 0xFE, count: 125)
        let ten = (0..<10).map { Array("payload-\($0)".utf8) }
        let answered = [
            Case("2.1", ping([]), outcome: .pongs([[]])),
            Case("2.2", ping(Array("Hello, world!".utf8)), outcome: .pongs([Array("Hello, world!".utf8)])),
            Case(
                "2.3", ping([0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00]),
                outcome: .pongs([[0, 255, 254, 253, 252, 251, 0]])),
            Case("2.4", ping(longest), outcome: .pongs([longest])),
            Case("2.7", frame(10, []), outcome: .pongs([])),
            Case("2.8", frame(10, Array("unsolicited".utf8)), outcome: .pongs([])),
            Case("2.9", frame(10, [1]) + ping([2]), outcome: .pongs([[2]])),
            Case("2.10", ten.flatMap { ping($0) }, outcome: .pongs(ten)),
        ]
        let refused = Case("2.5", ping([UInt8](repeating: 0xFE, count: 126)), outcome: .closes(1002))
        try await check(answered + [refused, answered[3].inOctets, answered[7].inOctets])
    }

    @Test("reserved bits, reserved opcodes, missing masks and non-minimal lengths close the socket with 1002")
    func headers() async throws {
        let text = Array("Hello".utf8)
        let bits = (1...7).map { bits in
            Case("3.\(bits)", [0x81 | UInt8(bits) << 4] + frame(1, text).dropFirst(), outcome: .closes(1002))
        }
        let opcodes = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { opcode in
            Case("4, opcode \(opcode)", frame(UInt8(opcode), []), outcome: .closes(1002))
        }
        let unmasked = [0, 1, 2, 8, 9, 10].map { opcode in
            Case(
                "unmasked opcode \(opcode)", WebSocketClient.frame(opcode: UInt8(opcode), [], masked: false),
                outcome: .closes(1002))
        }
        let lengths: [(String, [UInt8])] = [
            ("0 in 16 bits", [0x81, 0xFE, 0, 0]), ("125 in 16 bits", [0x81, 0xFE, 0, 125]),
            ("126 in 64 bits", [0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0, 126]),
            ("65 535 in 64 bits", [0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            ("the highest bit", [0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            ("a PING's in 16 bits", [0x89, 0xFE, 0, 1]),
        ]
        let early = [
            Case("a reserved bit, without the rest of the header", [0xC1], outcome: .closes(1002)),
            Case("no mask, without the rest of the header", [0x81, 0x05], outcome: .closes(1002)),
        ]
        try await check(
            bits + opcodes + unmasked + early + lengths.map { Case($0.0, $0.1, outcome: .closes(1002)) })
    }

    @Test("a message that declares too large a length is refused before it arrives")
    func tooLong() async throws {
        try await check([
            Case("one frame", [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 1, 2, 3, 4], outcome: .closes(1009)),
            Case(
                "the maximum declared length", frame(1, [0x61], fin: false),
                [0x80, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + [1, 2, 3, 4], outcome: .closes(1009)),
            Case(
                "the second fragment", frame(1, [UInt8](repeating: 0x61, count: 40_000), fin: false),
                [0x80, 0xFE, 0x9C, 0x40, 1, 2, 3, 4], outcome: .closes(1009)),
        ])
    }

    @Test("fragments form a message only in order; control frames may come between them, but not be fragmented")
    func fragments() async throws {
        let (one, two) = (frame(1, Array("fragment1".utf8), fin: false), frame(0, Array("fragment2".utf8)))
        let lone = frame(0, Array("lone".utf8))
        let loneFirst = frame(0, Array("lone".utf8), fin: false)
        let whole = Outcome.messages(["fragment1fragment2"])
        let pieces = (1...5).map { frame($0 == 1 ? 1 : 0, Array("fragment\($0)".utf8), fin: $0 == 5) }
        let five = Case(
            "5.19", pieces[0] + pieces[1] + ping([1]) + pieces[2] + pieces[3] + ping([2]) + pieces[4],
            outcome: .messages(["fragment1fragment2fragment3fragment4fragment5"]))
        let fine = [Case("5.3", one + two, outcome: whole), Case("5.6", one + ping([1]) + two, outcome: whole), five]
        try await check(
            fine + fine.map(\.inOctets) + [
                Case("5.4", one, two, outcome: whole), Case("5.7", one, ping([1]), two, outcome: whole),
                Case("5.1", frame(9, [1], fin: false), outcome: .closes(1002)),
                Case("5.2", frame(10, [1], fin: false), outcome: .closes(1002)),
                Case("a fragmented close", frame(8, [0x03, 0xE8], fin: false), outcome: .closes(1002)),
                Case("5.9", lone + frame(1, Array("{}".utf8)), outcome: .closes(1002)),
                Case("5.12", loneFirst + frame(1, Array("{}".utf8)), outcome: .closes(1002)),
                Case("5.18", one + frame(1, Array("fragment2".utf8)), outcome: .closes(1002)),
            ])
    }

    private typealias Outcome = Case.Outcome

    @Test("a continuation frame without a message to continue closes the socket with 1002")
    func continuedTwice() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            try await client.connection.send(
                frame(1, Array("a".utf8), fin: false) + frame(0, Array("b".utf8)) + frame(0, Array("c".utf8)))
            #expect(try await proxy.host.nextMessage().1 == "ab")
            #expect(try await client.framesToClose().map(\.closeCode) == [1002])
        }
    }

    @Test("text is forwarded unchanged, whether whole, in one-byte fragments or in one-byte pieces")
    func validText() async throws {
        let texts = StrictFrames.validText.map { (number, bytes) in
            (number, bytes, String(decoding: bytes, as: UTF8.self))
        }
        let whole = texts.map { Case($0.0, frame(1, $0.1), outcome: .messages([$0.2])) }
        let fragmented = texts.filter { !$0.1.isEmpty }.map {
            Case($0.0 + " in fragments", Self.inFragments($0.1), outcome: .messages([$0.2]))
        }
        let empty = frame(1, [], fin: false) + frame(0, [], fin: false)
        let zero = [
            Case("6.1.2", empty + frame(0, []), outcome: .messages([""])),
            Case("6.1.3", empty + frame(0, Array("a".utf8), fin: false) + frame(0, []), outcome: .messages(["a"])),
        ]
        try await check(whole + fragmented + zero + whole.prefix(4).map(\.inOctets))
    }

    @Test("invalid UTF-8 closes the socket with 1007, whether whole, in one-byte fragments or in one-byte pieces")
    func invalidText() async throws {
        let whole = StrictFrames.invalidText.map { Case($0.0, frame(1, $0.1), outcome: .closes(1007)) }
        let fragmented = StrictFrames.invalidText.map {
            Case($0.0 + " in fragments", Self.inFragments($0.1), outcome: .closes(1007))
        }
        let binary = Case("a binary message", frame(2, [0xFF]), outcome: .closes(1007))
        try await check(whole + fragmented + [binary] + whole.prefix(4).map(\.inOctets))
    }

    @Test("an invalid UTF-8 byte closes the socket with 1007 before the message or the frame ends")
    func failsFast() async throws {
        let start = Array("κόσμε".utf8)
        let surrogate: [UInt8] = [0xF4, 0x90]
        try await check([
            Case(
                "6.4.1", frame(1, start, fin: false), frame(0, surrogate, fin: false), outcome: .closes(1007)),
            Case(
                "6.4.3, in a frame that has not ended",
                Array(frame(1, start + surrogate + Array("edited".utf8)).dropLast(6)), outcome: .closes(1007)),
        ])
    }

    @Test("close frames are echoed if RFC 6455 allows them, and are otherwise answered with 1002 or 1007")
    func closes() async throws {
        let reason = [UInt8](repeating: UInt8(ascii: "*"), count: 123)
        let normal: [UInt8] = [0x03, 0xE8]
        let codes = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
        let valid = codes.map { Case("7.7, \($0)", close($0), outcome: .echoes(Self.bytes($0))) }
        let invalid = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map {
            Case("7.9, \($0)", close($0), outcome: .closes(1002))
        }
        try await check(
            valid + invalid + [
                Case("7.1.2", frame(8, normal) + frame(8, normal), outcome: .echoes(normal)),
                Case("7.1.3", frame(8, normal) + ping([1]), outcome: .echoes(normal)),
                Case("7.1.4", frame(8, normal) + frame(1, Array("{}".utf8)), outcome: .echoes(normal)),
                Case("7.1.5", frame(1, [0x61], fin: false) + frame(8, normal), outcome: .echoes(normal)),
                Case("7.3.1", frame(8, []), outcome: .echoes([])),
                Case("7.3.2", frame(8, [0x03]), outcome: .closes(1002)),
                Case("7.3.4", close(1000, Array("Hello World!".utf8)), outcome: .echoes(normal)),
                Case("7.3.5", close(1000, reason), outcome: .echoes(normal)),
                Case("7.3.5 in octets", close(1000, reason), outcome: .echoes(normal)).inOctets,
                Case("7.3.6", close(1000, reason + reason.prefix(1)), outcome: .closes(1002)),
                Case("7.5.1", close(1000, [0xCE, 0xBA, 0xED, 0xA0, 0x80]), outcome: .closes(1007)),
                Case("a reason that is cut", close(1000, [0xCE]), outcome: .closes(1007)),
            ])
    }

    private func frame(_ opcode: UInt8, _ payload: [UInt8], fin: Bool = true) -> [UInt8] {
        WebSocketClient.frame(opcode: opcode, payload, fin: fin)
    }

    private func ping(_ payload: [UInt8]) -> [UInt8] { frame(9, payload) }

    private func close(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] { frame(8, Self.bytes(code) + reason) }

    private static func bytes(_ code: Int) -> [UInt8] { [UInt8(code >> 8), UInt8(code & 255)] }

    private static func inFragments(_ bytes: [UInt8]) -> [UInt8] {
        bytes.enumerated().flatMap { index, byte in
            WebSocketClient.frame(opcode: index == 0 ? 1 : 0, [byte], fin: index == bytes.count - 1)
        }
    }
}
