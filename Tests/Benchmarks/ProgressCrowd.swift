import BookstrackContract
import Glibc
import NIOCore
import NIOPosix
import WireClient

/// Clients that watch jobs and only count frames, so that the services are measured. All of them run on one event loop.
// @unchecked Sendable: everything but the constants is only used on `eventLoop`.
final class ProgressCrowd: FrameCrowd, @unchecked Sendable {
    let eventLoop: any EventLoop
    private let address: ServerAddress
    private var channels: [any Channel] = []
    private var awaited: (waiters: Int, promise: EventLoopPromise<Void>)?
    fileprivate(set) var count = FrameCount()
    var arrived: (Int) -> Void = { _ in }

    /// Whether the service acknowledges that a client is ready; otherwise, the client is ready after its upgrade.
    fileprivate let isGreeted: Bool

    init(_ address: ServerAddress, on eventLoop: any EventLoop, isGreeted: Bool = true) {
        self.address = address
        self.eventLoop = eventLoop
        self.isGreeted = isGreeted
    }

    /// Adds a client for each path, numbered in the order of the paths, and waits until all of them are ready.
    func join(_ paths: [String]) async throws {
        for begin in stride(from: 0, to: paths.count, by: 64) {
            let group = begin..<min(begin + 64, paths.count)
            let ready = eventLoop.makePromise(of: Void.self)
            try await eventLoop.submit { self.awaited = (group.count, ready) }.get()
            for number in group { try await join(paths[number], number: number) }
            try await ready.futureResult.get()
        }
    }

    private func join(_ path: String, number: Int) async throws {
        let head = """
            GET \(path) HTTP/1.1\r\nHost: \(address.host):\(address.port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """
        let channel = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        CrowdMember(self, number: number, head: ByteBuffer(string: head)))
                }
            }
            .connect(host: address.host, port: address.port).get()
        try await eventLoop.submit { self.channels.append(channel) }.get()
    }

    fileprivate func isReady() {
        guard let (waiters, promise) = awaited else { return }
        awaited = waiters > 1 ? (waiters - 1, promise) : nil
        if waiters == 1 { promise.succeed() }
    }

    func leave() async throws {
        let channels = try await eventLoop.submit { self.channels }.get()
        for channel in channels { try? await channel.close() }
    }
}

/// One client's side of a connection: reads the lengths of frames (RFC 6455 §5.2), and only the start of their
/// payloads.
private final class CrowdMember: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let crowd: ProgressCrowd
    private let number: Int
    private let head: ByteBuffer
    private var received = ByteBuffer()
    private var isUpgraded = false
    private var lastSeq: Int?
    /// A masked text frame; a key of zeros leaves the text unchanged (RFC 6455 §5.3).
    private static let ready = {
        let text = #"{"type":"ready"}"#
        return ByteBuffer(bytes: [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
    }()

    init(_ crowd: ProgressCrowd, number: Int, head: ByteBuffer) {
        self.crowd = crowd
        self.number = number
        self.head = head
    }

    func channelActive(context: ChannelHandlerContext) { context.writeAndFlush(wrapOutboundOut(head), promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        if !isUpgraded {
            guard let end = received.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            received.moveReaderIndex(to: end.upperBound)
            isUpgraded = true
            if crowd.isGreeted {
                context.writeAndFlush(wrapOutboundOut(Self.ready), promise: nil)
            } else {
                crowd.isReady()
            }
        }
        while let payload = nextPayload() { take(payload) }
        if received.readableBytes == 0 { received.clear() }
    }

    private func nextPayload() -> ByteBuffer? {
        let start = received.readerIndex
        guard let short = received.getInteger(at: start + 1, as: UInt8.self) else { return nil }
        var (header, length) = (2, Int(short))
        if short == 126 {
            guard let long = received.getInteger(at: start + 2, as: UInt16.self) else { return nil }
            (header, length) = (4, Int(long))
        }
        guard received.readableBytes >= header + length else { return nil }
        received.moveReaderIndex(forwardBy: header)
        return received.readSlice(length: length)
    }

    private func take(_ payload: ByteBuffer) {
        payload.withUnsafeReadableBytes { bytes in
            if bytes.begins(with: "{\"type\":\"ready_ack\"") { return crowd.isReady() }
            guard bytes.begins(with: "{\"type\":\"job_progress\"") else { return }
            crowd.count.frames += 1
            let seq = bytes.number(after: ",\"seq\":")
            if let lastSeq, seq != lastSeq + 1 { crowd.count.misplaced += 1 }
            lastSeq = seq
            crowd.arrived(number)
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func begins(with text: StaticString) -> Bool {
        guard let baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// The number that follows the first occurrence of `text`.
    func number(after text: StaticString) -> Int? {
        guard let baseAddress else { return nil }
        let length = text.utf8CodeUnitCount
        var place = 0
        while place + length < count {
            if self[place] == text.utf8Start[0], memcmp(baseAddress + place, text.utf8Start, length) == 0 { break }
            place += 1
        }
        var number = 0
        for byte in self[Swift.min(place + length, count)...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return number }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return nil
    }
}
