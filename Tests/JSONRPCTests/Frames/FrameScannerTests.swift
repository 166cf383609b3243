import NIOCore
import Testing

@testable import JSONRPC

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

    @Test("frames that arrive byte by byte come out whole")
    func byteByByte() throws {
        #expect(try frames(Self.stream.utf8.map { [$0] }) == Self.lines)
    }

    @Test("frames that arrive glued together come out one by one")
    func glued() throws {
        #expect(try frames([Array(Self.stream.utf8)]) == Self.lines)
    }

    @Test("a stream that is cut at any two places gives the same frames")
    func everyCut() throws {
        let bytes = Array(Self.stream.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                #expect(try frames(pieces) == Self.lines)
            }
        }
    }

    @Test("a frame of exactly the bound is taken, one byte more is refused")
    func bound() throws {
        #expect(try frames([Array("12345678\n".utf8)], bound: 8) == ["12345678"])
        #expect(throws: FrameScanner.Oversized()) { try frames([Array("123456789\n".utf8)], bound: 8) }
    }

    @Test("an endless frame is refused at the bound, not kept until its end")
    func endless() throws {
        var scanner = FrameScanner(maximumFrameBytes: 8)
        scanner.append(ByteBuffer(string: "12345678"))
        let frame = try scanner.next()
        #expect(frame == nil)
        scanner.append(ByteBuffer(string: "9"))
        #expect(throws: FrameScanner.Oversized()) { try scanner.next() }
    }

    @Test("a frame keeps its bytes when more arrives behind it")
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
