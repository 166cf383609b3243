import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("The queue of a slow reader") struct SlowReaderQueueTests {
    private func entry(_ kind: SocketDelivery.Kind, _ size: Int = 10) -> SlowReaderQueue.Entry {
        .init(kind: kind, bytes: ByteBuffer(repeating: 0x61, count: size))
    }

    @Test("waiting progress frames coalesce to the newest, in its own place")
    func coalesces() {
        var queue = SlowReaderQueue()
        #expect(queue.append(entry(.event, 1)) == .kept)
        #expect(queue.append(entry(.progress, 2)) == .kept)
        #expect(queue.append(entry(.control, 3)) == .kept)
        #expect(queue.append(entry(.progress, 4)) == .coalesced)
        #expect(queue.waitingBytes == 8)
        let sizes = (0..<3).map { _ in queue.popFirst()?.bytes.readableBytes }
        #expect(sizes == [1, 3, 4])
        #expect(queue.isEmpty && queue.waitingBytes == 0)
    }

    @Test("the 65th frame overflows, and a terminal frame does not")
    func frameBound() {
        var queue = SlowReaderQueue()
        for _ in 0..<64 { #expect(queue.append(entry(.event)) == .kept) }
        #expect(queue.append(entry(.event)) == .overflow)
        #expect(queue.append(entry(.terminal)) == .kept)
        #expect(queue.count == 65)
    }

    @Test("replayed events count, and none of them is replaced", arguments: [SocketDelivery.Kind.replayed, .page])
    func replayed(kind: SocketDelivery.Kind) {
        var queue = SlowReaderQueue()
        for _ in 0..<64 { #expect(queue.append(entry(kind)) == .kept) }
        #expect(queue.append(entry(kind)) == .overflow)
    }

    @Test("a byte past 256 KiB overflows, and a terminal frame does not count")
    func byteBound() {
        var queue = SlowReaderQueue()
        #expect(queue.append(entry(.terminal, 1 << 20)) == .kept)
        #expect(queue.append(entry(.event, 256 * 1_024)) == .kept)
        #expect(queue.append(entry(.control, 1)) == .overflow)
    }

    @Test("any number of progress frames fits")
    func progressNeverOverflows() {
        var queue = SlowReaderQueue()
        for _ in 0..<1_000 { #expect(queue.append(entry(.progress, 1_000)) != .overflow) }
        #expect(queue.count == 1)
    }

    @Test("a progress frame that does not fit leaves the older one waiting")
    func overflowKeepsOlder() {
        var queue = SlowReaderQueue()
        #expect(queue.append(entry(.progress, 10)) == .kept)
        #expect(queue.append(entry(.event, 256 * 1_024 - 10)) == .kept)
        #expect(queue.append(entry(.progress, 11)) == .overflow)
        #expect(queue.count == 2 && queue.waitingBytes == 256 * 1_024)
        #expect(queue.append(entry(.progress, 10)) == .coalesced)
    }

    @Test("giving up keeps the terminal frame")
    func discard() {
        var queue = SlowReaderQueue()
        _ = queue.append(entry(.event))
        _ = queue.append(entry(.terminal, 5))
        queue.discard()
        #expect(queue.popFirst()?.kind == .terminal)
        #expect(queue.isEmpty)
    }
}
