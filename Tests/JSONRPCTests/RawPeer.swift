import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport

/// A peer that sends exactly the bytes that a test specifies. If it is connected without reading, it reads only on
/// request.
final class RawPeer: Sendable {
    private let channel: any Channel
    private let chunks: AsyncStream<String>

    private init(channel: any Channel, chunks: AsyncStream<String>) {
        self.channel = channel
        self.chunks = chunks
    }

    static func connect(to path: String, reading: Bool = true) async throws -> RawPeer {
        let (chunks, continuation) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reading)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation))
                }
            }
            .connect(unixDomainSocketPath: path).get()
        return RawPeer(channel: channel, chunks: chunks)
    }

    func send(_ text: String) {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    /// Starts reading if the peer was created without reading.
    func read() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    /// Closes the connection, unless the other end has done so.
    func close() async {
        try? await channel.close()
    }

    /// Waits until the other end closes the connection.
    func waitForClose() async throws {
        try await channel.closeFuture.get()
    }

    /// Reads lines until there are `count` of them, or the connection ends.
    func lines(_ count: Int) async -> [String] {
        var text = ""
        var seen = 0
        for await chunk in chunks {
            text += chunk
            seen += chunk.utf8.count(where: { $0 == UInt8(ascii: "\n") })
            if seen >= count { break }
        }
        return text.split(separator: "\n").map(String.init)
    }

    /// Reads until a line contains `text`, or the connection ends.
    func awaitLine(with text: String) async {
        var unended = Substring()
        for await chunk in chunks {
            unended += chunk
            let lines = unended.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.contains(where: { $0.contains(text) }) { return }
            unended = lines.last ?? ""
        }
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let continuation: AsyncStream<String>.Continuation

        init(_ continuation: AsyncStream<String>.Continuation) {
            self.continuation = continuation
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            continuation.yield(String(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) {
            continuation.finish()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

/// A server that behaves like a suspended process: it accepts connections, responds to the first few requests of each,
/// and then does nothing.
struct SilentServer {
    /// Receives an event for each connection.
    let connections: Inbox<Void>
    private let channel: any Channel

    static func listen(at path: String, answers: Int) async throws -> SilentServer {
        let connections = Inbox<Void>()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.append(())
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answerer(answers))
                }
            }
            .bind(unixDomainSocketPath: path).get()
        return SilentServer(connections: connections, channel: channel)
    }

    func close() async throws {
        try await channel.close()
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private var left: Int
        private var lastID = 0

        init(_ answers: Int) {
            left = answers
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard left > 0 else { return }
            left -= 1
            lastID += 1
            let answer = ByteBuffer(string: "{\"jsonrpc\":\"2.0\",\"id\":\(lastID),\"result\":{}}\n")
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
    }
}
