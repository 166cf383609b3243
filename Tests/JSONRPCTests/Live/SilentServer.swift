import NIOCore
import NIOPosix

/// A server as a stopped process is: it accepts, answers the first so many requests of a connection, then nothing.
struct SilentServer {
    /// Posted to when a connection is made.
    let connections: Mailbox<Void>
    private let channel: any Channel

    static func listen(at path: String, answers: Int) async throws -> SilentServer {
        let connections = Mailbox<Void>()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.post(())
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
