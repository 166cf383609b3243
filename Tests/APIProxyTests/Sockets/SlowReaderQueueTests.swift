import BookstrackContract
import NIOCore
import NIOEmbedded
import SuiteMethods
import Testing
@testable import APIProxy

@Suite("A slow reader's queue") struct SlowReaderQueueTests {
    private func entry(_ kind: SocketDelivery.Kind, _ size: Int = 10) -> SlowReaderQueue.Entry {
        .init(kind: kind, bytes: ByteBuffer(repeating: 0x61, count: size))
    }

    @Test("a newer progress frame replaces a waiting one and is sent after the frames that were queued before it")
    func coalesces() {
        var queue = SlowReaderQueue()
        #expect(queue.append(entry(.event, 1)) == .kept)
        #expect(queue.append(entry(.progress, 2)) == .kept)
        #expect(queue.append(entry(.control, 3)) == .kept)
        #expect(queue.append(entry(.progress, 4)) == .coalesced)
        #expect(queue.waitingBytes == 8)
        let sizes = (0..<3).map { _ in queue.popFirst()?.bytes.readableBytes }
        #expect(sizes == [1, 3, 4])
        #expect(queue.isEmpty)
        #expect(queue.waitingBytes == 0)
    }

    @Test("the 65th frame overflows the queue unless it is a terminal frame")
    func frameBound() {
        var queue = SlowReaderQueue()
        for _ in 0..<64 { #expect(queue.append(entry(.event)) == .kept) }
        #expect(queue.append(entry(.event)) == .overflow)
        #expect(queue.append(entry(.terminal)) == .kept)
        #expect(queue.count == 65)
    }

    @Test(
        "replayed events count toward the limit and are never coalesced",
        arguments: [SocketDelivery.Kind.replayed, .page])
    func replayed(kind: SocketDelivery.Kind) {
        var queue = SlowReaderQueue()
        for _ in 0..<64 { #expect(queue.append(entry(kind)) == .kept) }
        #expect(queue.append(entry(kind)) == .overflow)
    }

    @Test("a byte beyond 256 KiB overflows the queue, and a terminal frame does not count toward this limit")
    func byteBound() {
        var queue = SlowReaderQueue()
        #expect(queue.append(entry(.terminal, 1 << 20)) == .kept)
        #expect(queue.append(entry(.event, 256 * 1_024)) == .kept)
        #expect(queue.append(entry(.control, 1)) == .overflow)
    }

    @Test("a frame of more than 256 KiB is accepted if no other frame waits, and nothing but a terminal frame after it")
    func longFrame() {
        var queue = SlowReaderQueue()
        #expect(queue.append(entry(.event, 300_000)) == .kept)
        #expect(queue.append(entry(.control, 1)) == .overflow)
        #expect(queue.append(entry(.terminal, 1)) == .kept)
        _ = queue.popFirst()
        #expect(queue.waitingBytes == 0)
        #expect(queue.append(entry(.event, 10)) == .kept)
        #expect(queue.append(entry(.event, 300_000)) == .overflow)
    }

    @Test("while a socket is being opened, a page with a frame of more than 256 KiB is accepted, up to 2 MiB in total")
    func opening() {
        var queue = SlowReaderQueue()
        for kind in [SocketDelivery.Kind.reconnected, .progress, .progress] {
            #expect(queue.append(entry(kind, 1_000), isOpening: true) == .kept)
        }
        #expect(queue.append(entry(.replayed, 1_000_000), isOpening: true) == .kept)
        let room = (2 << 20) - queue.waitingBytes
        #expect(queue.append(entry(.event, room), isOpening: true) == .kept)
        #expect(queue.append(entry(.event, 1), isOpening: true) == .overflow)
        #expect(queue.count == 5)
    }

    @Test("progress frames alone never overflow the queue, because they are coalesced")
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
        #expect(queue.count == 2)
        #expect(queue.waitingBytes == 256 * 1_024)
        #expect(queue.append(entry(.progress, 10)) == .coalesced)
    }

    @Test("discarding waiting frames keeps the terminal frame")
    func discard() {
        var queue = SlowReaderQueue()
        _ = queue.append(entry(.event))
        _ = queue.append(entry(.terminal, 5))
        queue.discard()
        #expect(queue.popFirst()?.kind == .terminal)
        #expect(queue.isEmpty)
    }
}

/// A shipped app's terminal frame may be 900 KiB long, and the phone may be on a slow network.
@Suite("Long terminal frames for slow clients") struct SlowEndTests {
    private static let frame = ByteBuffer(repeating: UInt8(ascii: "x"), count: 900 << 10)
    private let channel = EmbeddedChannel()
    private let network = StalledNetwork()
    private let socket: ProgressSocket

    /// Sets up a socket that is being closed after its terminal frame.
    init() throws {
        let socketLimiter = SocketLimiter(limits: SocketLimits())
        let shard = SocketShard(single: channel.embeddedEventLoop, socketLimiter)
        let id = try job("job-12345")
        socket = ProgressSocket(
            id: SocketID(1), request: SocketRequest(jobId: id, token: "t", reconnect: false, since: nil, v1: false),
            permit: try socketLimiter.enter(job: id, client: client("192.0.2.1")), shard: shard)
        shard.insert(socket)
        socket.admitted(tokenNumber: 1)
        try channel.pipeline.syncOperations.addHandlers([network, socket.connection])
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
        socket.deliver(
            SocketDelivery(sockets: [SocketID(1)], kind: .terminal, seq: 1, frame: Self.frame), bytes: Self.frame)
        socket.close(.normal, reason: "job completed")
    }

    private func advance(by time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    @Test("a frame of almost 1 MiB is sent completely to every socket before the close")
    func arrivesWhole() async throws {
        let text = "{\"x\":\"" + String(repeating: "x", count: (1 << 20) - 8_192) + "\"}"
        try await RunningProxy.run { proxy in
            var clients: [SocketID: WebSocketClient] = [:]
            for receiveBuffer in [nil, nil, 4_096] {
                let client = try await WebSocketClient(port: proxy.port, receiveBuffer: receiveBuffer)
                clients[try await proxy.host.nextOpened().0] = client
            }
            let ids = Array(clients.keys)
            proxy.host.deliver(text, to: ids, .terminal, seq: 1)
            proxy.host.close(ids, .normal)
            for client in clients.values {
                let frame = try await client.next()
                #expect(frame.payload.count == text.utf8.count)
                #expect(try await client.next().closeCode == 1000)
            }
        }
    }

    @Test("a peer that takes half a minute receives the whole frame and then has the usual time to answer the close")
    func takesItsTime() {
        #expect(network.bytes > Self.frame.readableBytes)
        advance(by: .seconds(30))
        #expect(channel.isActive)
        network.takeAll()
        advance(by: .milliseconds(1_999))
        #expect(channel.isActive)
        advance(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a peer that never reads the frame is eventually disconnected")
    func neverTakesIt() {
        advance(by: .seconds(36))
        #expect(!channel.isActive)
    }

    @Test("when the process stops, a slow client receives no extra time")
    func stops() {
        advance(by: .seconds(1))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        advance(by: .seconds(7))
        #expect(!channel.isActive)
    }
}
