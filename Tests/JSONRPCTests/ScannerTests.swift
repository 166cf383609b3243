import JSON
import NIOCore
import Testing
@testable import JSONRPC

@Suite("Parsing envelopes")
struct EnvelopeScannerTests {
    private func text(_ slot: Envelope.Slot?, in frame: String) -> String? {
        slot.map { String(decoding: Array(frame.utf8)[$0.range], as: UTF8.self) }
    }

    @Test("the range of each member covers exactly its value")
    func ranges() throws {
        let frame =
            " { \"jsonrpc\" : \"2.0\" ,\"id\":7, \"method\":\"a.b\",\"deadlineMs\":50,\"params\": {\"x\":[1, 2]} } "
        let envelope = try EnvelopeScanner.scan(ByteBuffer(string: frame))
        #expect(text(envelope.jsonrpc, in: frame) == "\"2.0\"")
        #expect(text(envelope.id, in: frame) == "7")
        #expect(text(envelope.method, in: frame) == "\"a.b\"")
        #expect(text(envelope.deadlineMs, in: frame) == "50")
        #expect(text(envelope.params, in: frame) == "{\"x\":[1, 2]}")
        #expect(envelope.params?.kind == .object)
        #expect(envelope.result == nil)
        #expect(envelope.error == nil)
    }

    @Test("ranges are relative to the start of the frame in its buffer")
    func slicedFrame() throws {
        var buffer = ByteBuffer(string: "noise{\"id\":7}")
        buffer.moveReaderIndex(forwardBy: 5)
        #expect(try EnvelopeScanner.scan(buffer).id?.range == 6..<7)
    }

    @Test("member names inside bodies do not count as the envelope's members")
    func innerNames() throws {
        let envelope = try EnvelopeScanner.scan(ByteBuffer(string: "{\"params\":{\"id\":1,\"method\":\"x\"}}"))
        #expect(envelope.id == nil)
        #expect(envelope.method == nil)
    }

    @Test("a name that contains escapes is recognized")
    func escapedNames() throws {
        let frame = "{\"m\\u0065thod\":\"a\",\"\\u0069\\u0064\":1}"
        let envelope = try EnvelopeScanner.scan(ByteBuffer(string: frame))
        #expect(text(envelope.method, in: frame) == "\"a\"")
        #expect(text(envelope.id, in: frame) == "1")
    }

    @Test("the last of several members with the same name is used")
    func duplicate() throws {
        let frame = "{\"id\":1,\"id\":2}"
        #expect(text(try EnvelopeScanner.scan(ByteBuffer(string: frame)).id, in: frame) == "2")
    }

    @Test(
        "JSON that is not an object is distinguished from invalid JSON",
        arguments: ["[]", "[{\"id\":1}]", "1", "\"a\"", "null"])
    func notAnObject(text: String) {
        #expect(throws: JSONFault(.notAnObject, at: 0)) {
            try EnvelopeScanner.scan(ByteBuffer(string: text))
        }
    }

    @Test("the envelope's own brace counts toward the nesting depth")
    func depth() {
        func frame(_ depth: Int) -> ByteBuffer {
            let inner = depth - 1
            return ByteBuffer(
                string: "{\"params\":" + String(repeating: "[", count: inner) + String(repeating: "]", count: inner)
                    + "}")
        }
        #expect(throws: Never.self) { try EnvelopeScanner.scan(frame(512)) }
        #expect(throws: JSONFault.self) { try EnvelopeScanner.scan(frame(513)) }
    }
}

@Suite("Framing")
struct FrameScannerTests {
    private static let stream = "{\"a\":1}\n{\"b\":\"ž\"}\n\n\r\n{}\r\n[2]\n"
    private static let lines = ["{\"a\":1}", "{\"b\":\"ž\"}", "{}\r", "[2]"]

    private func frames(_ pieces: [[UInt8]], bound: Int = 64) throws(FrameScanner.Oversized) -> [String] {
        var scanner = FrameScanner(maximumFrameBytes: bound)
        var frames: [String] = []
        for piece in pieces {
            scanner.append(ByteBuffer(bytes: piece))
            while let frame = try scanner.next() { frames.append(String(buffer: frame)) }
        }
        return frames
    }

    @Test("frames that arrive byte by byte are returned complete")
    func byteByByte() throws {
        #expect(try frames(Self.stream.utf8.map { [$0] }) == Self.lines)
    }

    @Test("concatenated frames are returned one by one")
    func glued() throws {
        #expect(try frames([Array(Self.stream.utf8)]) == Self.lines)
    }

    @Test("a stream that is cut at any two positions yields the same frames")
    func everyCut() throws {
        let bytes = Array(Self.stream.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                #expect(try frames(pieces) == Self.lines)
            }
        }
    }

    @Test("a frame of exactly the maximum size is accepted, and a frame one byte longer is rejected")
    func bound() throws {
        #expect(try frames([Array("12345678\n".utf8)], bound: 8) == ["12345678"])
        #expect(throws: FrameScanner.Oversized()) { try frames([Array("123456789\n".utf8)], bound: 8) }
    }

    @Test("an endless frame is rejected at the maximum size instead of being buffered to its end")
    func endless() throws {
        var scanner = FrameScanner(maximumFrameBytes: 8)
        scanner.append(ByteBuffer(string: "12345678"))
        let frame = try scanner.next()
        #expect(frame == nil)
        scanner.append(ByteBuffer(string: "9"))
        #expect(throws: FrameScanner.Oversized()) { try scanner.next() }
    }

    @Test("a frame keeps its bytes when more bytes arrive after it")
    func framesAreStable() throws {
        var scanner = FrameScanner(maximumFrameBytes: 64)
        scanner.append(ByteBuffer(string: "first\nsec"))
        let first = try #require(try scanner.next())
        #expect(try scanner.next() == nil)
        scanner.append(ByteBuffer(string: "ond\n"))
        let second = try #require(try scanner.next())
        #expect(String(buffer: first) == "first")
        #expect(String(buffer: second) == "second")
        #expect(scanner.bufferedBytes == 0)
    }
}
