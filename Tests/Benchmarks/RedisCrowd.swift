import NIOCore
import NIOPosix
import WireClient

/// Redis subscribers that only count messages, each on its own connection.
// @unchecked Sendable: the variables are only used on `eventLoop`.
final class RedisCrowd: FrameCrowd, @unchecked Sendable {
    let eventLoop: any EventLoop
    fileprivate(set) var count = FrameCount()
    var arrived: (Int) -> Void = { _ in }
    private let address: ServerAddress
    private var channels: [any Channel] = []
    fileprivate var waiting = 0
    fileprivate var ready: EventLoopPromise<Void>?

    init(_ address: ServerAddress, on eventLoop: any EventLoop) {
        self.address = address
        self.eventLoop = eventLoop
    }

    /// Subscribes a client to each channel, and waits until all are subscribed.
    func join(_ names: [String]) async throws {
        let ready = eventLoop.makePromise(of: Void.self)
        try await eventLoop.submit { (self.waiting, self.ready) = (names.count, ready) }.get()
        for (number, name) in names.enumerated() {
            let channel = try await ClientBootstrap(group: eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            RedisMember(
                                self, number: number, ByteBuffer(string: PeerPublisher.command("SUBSCRIBE", name))))
                    }
                }
                .connect(host: address.host, port: address.port).get()
            try await eventLoop.submit { self.channels.append(channel) }.get()
        }
        try await ready.futureResult.get()
    }

    func leave() async throws {
        let channels = try await eventLoop.submit { self.channels }.get()
        for channel in channels { try? await channel.close() }
    }
}

/// One subscriber: reads arrays of bulk strings, whose third element is the message or the number of subscriptions.
private final class RedisMember: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let crowd: RedisCrowd
    private let number: Int
    private let subscription: ByteBuffer
    private var received = ByteBuffer()
    private var lastSeq: Int?
    private var isSubscribed = false

    init(_ crowd: RedisCrowd, number: Int, _ subscription: ByteBuffer) {
        self.crowd = crowd
        self.number = number
        self.subscription = subscription
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(subscription), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        while true {
            let start = received.readerIndex
            guard takeOne() else { return received.moveReaderIndex(to: start) }
            if received.readableBytes == 0 { return received.clear() }
        }
    }

    private func takeOne() -> Bool {
        guard line() != nil, bulk() != nil, bulk() != nil else { return false }
        guard isSubscribed else {
            guard line() != nil else { return false }
            isSubscribed = true
            crowd.waiting -= 1
            if crowd.waiting == 0 { crowd.ready?.succeed() }
            return true
        }
        guard let message = bulk() else { return false }
        let seq = message.withUnsafeReadableBytes { $0.number(after: ",\"seq\":") }
        crowd.count.frames += 1
        if let lastSeq, seq != lastSeq + 1 { crowd.count.misplaced += 1 }
        lastSeq = seq
        crowd.arrived(number)
        return true
    }

    /// The number in a line, such as `*3` or `$7`.
    private func line() -> Int? {
        var value = 0
        var index = received.readerIndex + 1
        while let byte = received.getInteger(at: index, as: UInt8.self), byte != UInt8(ascii: "\r") {
            value = value * 10 + Int(byte) - Int(UInt8(ascii: "0"))
            index += 1
        }
        guard index + 1 < received.writerIndex else { return nil }
        received.moveReaderIndex(to: index + 2)
        return value
    }

    private func bulk() -> ByteBuffer? {
        guard let length = line(), let text = received.readSlice(length: length), received.readableBytes >= 2 else {
            return nil
        }
        received.moveReaderIndex(forwardBy: 2)
        return text
    }
}
