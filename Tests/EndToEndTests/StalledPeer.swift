import NIOCore
import NIOPosix
import ProgressClient

/// A client that upgrades to a WebSocket and from then on neither reads nor writes.
struct StalledPeer {
    private let channel: any Channel

    init(path: String, at address: ServerAddress) async throws {
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .connect(host: address.host, port: address.port).get()
        let lines = [
            "GET \(path) HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
        ]
        try await channel.writeAndFlush(ByteBuffer(string: lines.joined(separator: "\r\n")))
    }

    func leave() async { try? await channel.close() }
}
