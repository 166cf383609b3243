import NIOCore
import Testing

@testable import JSONRPC

@Suite("The outbound queue")
struct OutboundQueueTests {
    private func queue(frame: Int = 16, total: Int = 32) -> OutboundQueue {
        var limits = RPCLimits()
        limits.maximumFrameBytes = frame
        limits.maximumOutboundBytes = total
        return OutboundQueue(limits)
    }

    @Test("messages queued while a chunk is being written are sent together after it")
    func coalesces() throws {
        var queue = queue()
        try queue.append { $0.writeString("a\n") }
        #expect(queue.take().map { String(buffer: $0) } == "a\n")
        try queue.append { $0.writeString("b\n") }
        try queue.append { $0.writeString("c\n") }
        #expect(queue.take() == nil)
        #expect(queue.bufferedBytes == 6)
        queue.wrote()
        #expect(queue.take().map { String(buffer: $0) } == "b\nc\n")
        queue.wrote()
        #expect(queue.bufferedBytes == 0)
    }

    @Test("a long queue is sent in chunks, and each written chunk frees space")
    func chunks() throws {
        var queue = queue(frame: 1 << 20, total: 2 << 20)
        let frames = (0..<4_000).map { "\($0) " + String(repeating: "x", count: 250) + "\n" }
        for frame in frames { try queue.append { $0.writeString(frame) } }
        var left = queue.bufferedBytes
        #expect(left == frames.reduce(0) { $0 + $1.utf8.count })
        var written = ""
        while let chunk = queue.take() {
            #expect(chunk.readableBytes <= (256 << 10) + 300)
            written += String(buffer: chunk)
            queue.wrote()
            left -= chunk.readableBytes
            #expect(queue.bufferedBytes == left)
        }
        #expect(written == frames.joined())
    }

    @Test("a partially written chunk continues where it stopped, before newer messages")
    func inPart() throws {
        var queue = queue()
        try queue.append { $0.writeString("abcdef\n") }
        #expect(queue.take().map { String(buffer: $0) } == "abcdef\n")
        try queue.append { $0.writeString("g\n") }
        queue.wrote(2)
        #expect(queue.bufferedBytes == 7)
        #expect(queue.take().map { String(buffer: $0) } == "cdef\n")
        queue.wrote(0)
        #expect(queue.take().map { String(buffer: $0) } == "cdef\n")
        queue.wrote()
        #expect(queue.take().map { String(buffer: $0) } == "g\n")
        queue.wrote()
        #expect(queue.bufferedBytes == 0)
    }

    @Test("a frame that exceeds a limit leaves the queue unchanged")
    func refuses() throws {
        var queue = queue()
        #expect(throws: OutboundQueue.Refusal.frameTooLarge) {
            try queue.append { $0.writeString("12345678901234567\n") }
        }
        #expect(queue.bufferedBytes == 0)
        try queue.append { $0.writeString("1234567890123456\n") }
        _ = queue.take()
        #expect(throws: OutboundQueue.Refusal.full) { try queue.append { $0.writeString("1234567890123456\n") } }
        #expect(queue.bufferedBytes == 17)
        queue.wrote()
        try queue.append { $0.writeString("1234567890123456\n") }
    }
}
