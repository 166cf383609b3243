import NIOCore
import NIOEmbedded
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("The echo of a close frame to a client that reads nothing") struct UnreadCloseTests {
    private let channel = EmbeddedChannel()
    private let network = StalledNetwork()

    /// Sets up a socket whose client has sent a close frame.
    init() throws {
        let shard = SocketShard(single: channel.embeddedEventLoop, SocketLimiter(limits: SocketLimits()))
        let request = SocketRequest(
            jobId: try job("job-12345"), token: "t", reconnect: false, since: nil, v1: false)
        let permit = try shard.socketLimiter.enter(job: request.jobId, client: client("192.0.2.1"))
        let socket = ProgressSocket(id: SocketID(1), request: request, permit: permit, shard: shard)
        shard.insert(socket)
        socket.admitted(tokenNumber: 1)
        try channel.pipeline.syncOperations.addHandlers([network, socket.connection])
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
        try channel.writeInbound(ByteBuffer(bytes: WebSocketClient.frame(opcode: 8, [0x03, 0xE8])))
    }

    @Test("the connection is closed 2 s after the client's close frame, although the echo is not yet sent")
    func closes() {
        #expect(network.written.count == 1)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1_999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("once the echo is sent, the connection is closed immediately")
    func closesAtOnce() {
        network.takeAll()
        #expect(!channel.isActive)
    }

    @Test("bytes after the client's close frame are not kept")
    func drops() throws {
        var junk = ByteBuffer(repeating: 0, count: 64 << 10)
        try channel.writeInbound(junk)
        let address = junk.withUnsafeReadableBytes { $0.baseAddress }
        // A buffer whose bytes are also held elsewhere is copied when it is changed.
        junk.setInteger(UInt8(1), at: junk.readerIndex)
        let newAddress = junk.withUnsafeReadableBytes { $0.baseAddress }
        #expect(newAddress == address)
    }
}
