import Foundation
import NIOCore
import NIOPosix

/// One TCP connection on which whole requests are written and raw bytes are read.
final class RawConnection: Sendable {
    private let channel: any Channel
    private let answer: EventLoopFuture<RawAnswer>

    init(port: Int) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let collector = group.next().makePromise(of: RawAnswer.self)
        channel = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(done: collector))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        answer = collector.futureResult
    }

    func send(
        _ method: String = "GET", _ target: String, body: String = "", keepAlive: Bool = false,
        headers: [String: String] = [:]
    ) async throws {
        let headers = ["User-Agent": "BooksTrackTests/1.0 (tests@example.org)"].merging(headers) { $1 }
        let connection = keepAlive ? "keep-alive" : "close"
        let escaped = target.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? target
        let request =
            "\(method) \(escaped) HTTP/1.1\r\nHost: emulator.test\r\nConnection: \(connection)\r\n"
            + headers.map { "\($0): \($1)\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try await channel.writeAndFlush(ByteBuffer(string: request))
    }

    /// Everything until the peer ends the connection.
    func received() async throws -> RawAnswer { try await answer.get() }

    func close() async throws { try await channel.close() }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let done: EventLoopPromise<RawAnswer>
        private var bytes: [UInt8] = []
        private var end = RawAnswer.End.closed

        init(done: EventLoopPromise<RawAnswer>) {
            self.done = done
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if (error as? IOError)?.errnoCode == ECONNRESET { end = .reset }
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            done.succeed(RawAnswer(bytes: bytes, end: end))
        }
    }
}
