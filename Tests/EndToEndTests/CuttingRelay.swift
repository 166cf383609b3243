import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A relay in front of a server. The relay treats connections as unreliable networks do: it cuts them at any byte,
/// delays data, closes one direction, and blocks WebSockets.
final class CuttingRelay: Sendable {
    /// The disturbance of a connection; all but `upgradeRefused` occur after a random number of bytes.
    enum Disturbance: CaseIterable {
        case cut, halfClosed, delayedAndCut, upgradeRefused
    }

    private let listener: any Channel
    private let target: Int
    private let refusesUpgrades: Bool
    /// Maximum number of bytes after which a connection is cut.
    private let reach: Int
    private let counts = NIOLockedValueBox<[Disturbance: Int]>([:])

    /// The port on the loopback address.
    var port: Int { listener.localAddress?.port ?? 0 }
    /// The number of disturbed connections.
    var cuts: Int { disturbances.values.reduce(0, +) }
    /// The number of disturbed connections, by kind of disturbance.
    var disturbances: [Disturbance: Int] { counts.withLockedValue(\.self) }

    private init(listener: any Channel, target: Int, refusesUpgrades: Bool, reach: Int) {
        self.reach = reach
        self.listener = listener
        self.target = target
        self.refusesUpgrades = refusesUpgrades
    }

    /// Relays to a loopback port while `body` runs. With `refusesUpgrades`, about half of the connections do not allow
    /// WebSockets.
    static func with<Value>(
        to target: Int, refusesUpgrades: Bool, reach: Int, _ body: @Sendable (CuttingRelay) async throws -> Value
    ) async throws -> Value {
        let box = NIOLockedValueBox<CuttingRelay?>(nil)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let relay = box.withLockedValue(\.self) { try relay.accept(channel) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let relay = CuttingRelay(listener: listener, target: target, refusesUpgrades: refusesUpgrades, reach: reach)
        box.withLockedValue { $0 = relay }
        do {
            let value = try await body(relay)
            try await listener.close()
            return value
        } catch {
            try? await listener.close()
            throw error
        }
    }

    private func accept(_ client: any Channel) throws {
        let fate = [Disturbance.cut, .cut, .halfClosed, .delayedAndCut].randomElement() ?? .cut
        let limit = Int.random(in: 0...reach)
        let upstream = ClientBootstrap(group: client.eventLoop)
            .connectTimeout(.seconds(2))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { server in
                server.eventLoop.makeCompletedFuture {
                    try server.pipeline.syncOperations.addHandler(
                        ServerSide(client: client, limit: limit, fate) { self.note(fate) })
                }
            }
            .connect(host: "127.0.0.1", port: target)
        let waiting: EventLoopFuture<any Channel> = upstream
        let refuses = refusesUpgrades && Bool.random()
        try client.pipeline.syncOperations.addHandler(
            ClientSide(upstream: waiting, refusesUpgrades: refuses) { self.note(.upgradeRefused) })
        waiting.whenFailure { _ in client.close(promise: nil) }
    }

    private func note(_ disturbance: Disturbance) { counts.withLockedValue { $0[disturbance, default: 0] += 1 } }
}

/// Forwards the client's data, and refuses upgrades if configured to.
private final class ClientSide: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let upstream: EventLoopFuture<any Channel>
    private let refusesUpgrades: Bool
    private let disturbed: @Sendable () -> Void
    private var isFirst = true

    init(upstream: EventLoopFuture<any Channel>, refusesUpgrades: Bool, _ disturbed: @escaping @Sendable () -> Void) {
        self.upstream = upstream
        self.refusesUpgrades = refusesUpgrades
        self.disturbed = disturbed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if isFirst, refusesUpgrades, String(buffer: bytes).lowercased().contains("upgrade: websocket") {
            disturbed()
            let answer = ByteBuffer(string: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in channel.close(promise: nil) }
            return
        }
        isFirst = false
        upstream.whenSuccess { $0.writeAndFlush(bytes, promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        upstream.whenSuccess { $0.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Forwards the server's data, up to a number of bytes.
private final class ServerSide: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel
    private var left: Int
    private let halfCloses: Bool
    private let delay: Bool
    private let disturbed: @Sendable () -> Void
    private var lastWrite: EventLoopFuture<Void>

    init(
        client: any Channel, limit: Int, _ fate: CuttingRelay.Disturbance, _ disturbed: @escaping @Sendable () -> Void
    ) {
        self.client = client
        left = limit
        halfCloses = fate == .halfClosed
        delay = fate == .delayedAndCut
        self.disturbed = disturbed
        lastWrite = client.eventLoop.makeSucceededVoidFuture()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard left > 0 else { return }
        var bytes = unwrapInboundIn(data)
        let piece = bytes.readSlice(length: min(left, bytes.readableBytes)) ?? bytes
        left -= piece.readableBytes
        pass(piece)
        guard left <= 0 else { return }
        disturbed()
        let (client, server, halfCloses) = (client, context.channel, halfCloses)
        lastWrite.whenComplete { _ in
            // The client receives nothing more, but its sending direction stays open for a while.
            if halfCloses {
                client.close(mode: .output, promise: nil)
                client.eventLoop.scheduleTask(in: .milliseconds(200)) { client.close(promise: nil) }
            } else {
                client.close(promise: nil)
            }
            server.close(promise: nil)
        }
    }

    private func pass(_ bytes: ByteBuffer) {
        let client = client
        let wait = delay ? TimeAmount.milliseconds(.random(in: 0...20)) : .zero
        lastWrite = lastWrite.flatMap {
            client.eventLoop.scheduleTask(in: wait) {}.futureResult.flatMap { client.writeAndFlush(bytes) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let client = client
        lastWrite.whenComplete { _ in client.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
