import NIOCore
import NIOHTTP1
import NIOPosix

/// The emulator on a TCP port of the loopback interface.
struct EmulatorServer: Sendable {
    private let channel: any Channel

    /// The port that was given, or the one the system chose.
    var port: Int { channel.localAddress?.port ?? 0 }

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - group: One thread is enough for some thousand requests a second.
    /// - Throws: `IOError` when the port is taken.
    static func start(_ emulator: Emulator, port: Int, group: any EventLoopGroup) async throws -> EmulatorServer {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(RequestHandler(emulator: emulator))
                }
            }
        return EmulatorServer(channel: try await bootstrap.bind(host: "127.0.0.1", port: port).get())
    }

    func stop() async throws {
        try await channel.close()
    }
}
