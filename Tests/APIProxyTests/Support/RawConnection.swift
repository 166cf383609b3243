import NIOCore
import NIOPosix
import TestSupport

/// A TCP connection that sends and receives bytes unchanged.
final class RawConnection: Sendable {
    enum Arrival: Sendable, Equatable {
        case bytes([UInt8])
        case end
    }

    let arrivals = Inbox<Arrival>()
    private let channel: any Channel

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let arrivals: Inbox<Arrival>

        init(_ arrivals: Inbox<Arrival>) { self.arrivals = arrivals }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            arrivals.append(.bytes(Array(unwrapInboundIn(data).readableBytesView)))
        }

        func channelInactive(context: ChannelHandlerContext) { arrivals.append(.end) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// `receiveBuffer` limits the bytes that the peer can send before this side reads; with `sendsOn`, the connection
    /// continues to send after the other side has stopped sending; `address` is the client's.
    init(port: Int, receiveBuffer: Int? = nil, sendsOn: Bool = false, from address: String? = nil) async throws {
        let arrivals = arrivals
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: numericCast(receiveBuffer))
        }
        if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
        if sendsOn { bootstrap = bootstrap.channelOption(.allowRemoteHalfClosure, value: true) }
        channel = try await bootstrap.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Collector(arrivals))
            }
        }.connect(host: "127.0.0.1", port: port).get()
    }

    /// Closes the connection; a stopping server would otherwise wait for a response to its close frame.
    deinit { channel.close(promise: nil) }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }

    /// Ends only the sending side; the connection must have been created with `sendsOn`.
    func closeOutput() async { try? await channel.close(mode: .output) }

    func close() async { try? await channel.close() }

    /// All bytes up to the end of the connection.
    func readToEnd(within limit: Duration = .seconds(50)) async throws -> [UInt8] {
        var all: [UInt8] = []
        while case .bytes(let bytes) = try await arrivals.take(within: limit) { all += bytes }
        return all
    }

    /// The next responses, each with a declared length or without a body. Nothing may have arrived after the last one.
    func answers(_ count: Int) async throws -> [HTTPAnswer] {
        var bytes: [UInt8] = []
        var answers: [HTTPAnswer] = []
        while answers.count < count {
            guard case .bytes(let more) = try await arrivals.take() else { throw HTTPAnswer.Malformed(bytes: bytes) }
            bytes += more
            while let answer = try HTTPAnswer.takeFirst(of: &bytes) { answers.append(answer) }
        }
        guard answers.count == count, bytes.isEmpty else { throw HTTPAnswer.Malformed(bytes: bytes) }
        return answers
    }
}
