import Foundation
import JSONRPC
import NIOCore
import NIOPosix
package import SuiteMethods

/// A follower that subscribes to everything and stops reading after the response.
package final class StuckFollower: Sendable {
    /// How many events arrived, and how many were reported as dropped, after the follower started to read again.
    package struct Received: Sendable {
        package var events = 0
        package var dropped = 0
    }

    private struct Frame: Decodable {
        var method: String?
        var params: TailEvents.Parameters?
    }

    private struct Connection: Sendable {
        var channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        var answer: EventLoopFuture<Void>
    }

    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private let eventLoop: any EventLoop

    /// Subscribes; returns once the service has confirmed the subscription.
    package init(_ service: ServiceInstance, in runtimeDirectory: String) async throws {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .connect(unixDomainSocketPath: "\(runtimeDirectory)/\(service.socketName)") { channel in
                channel.eventLoop.makeCompletedFuture {
                    let line = channel.eventLoop.makePromise(of: Void.self)
                    try channel.pipeline.syncOperations.addHandler(FirstLine(line))
                    return Connection(
                        channel: try NIOAsyncChannel(wrappingChannelSynchronously: channel), answer: line.futureResult)
                }
            }
        channel = connection.channel
        eventLoop = channel.channel.eventLoop
        let line = #"{"jsonrpc":"2.0","id":1,"method":"tail.subscribe","params":{"filter":\#(Self.everything)}}"# + "\n"
        try await channel.channel.writeAndFlush(ByteBuffer(string: line))
        channel.channel.read()
        try await connection.answer.get()
    }

    private static let everything = #"{"outcomes":[],"methods":[],"headers":[],"addresses":[]}"#

    /// Reads until `count` events have arrived or been reported as dropped, or the service closes the connection; then disconnects.
    package func readOn(until count: Int) async throws -> Received {
        try await channel.channel.setOption(.autoRead, value: true).get()
        channel.channel.read()
        return try await channel.executeThenClose { inbound, _ in
            var received = Received()
            var rest = ByteBuffer()
            for try await bytes in inbound {
                rest.writeImmutableBuffer(bytes)
                while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
                    let line = rest.readSlice(length: end - rest.readerIndex + 1)
                {
                    let frame = try JSONDecoder().decode(Frame.self, from: Data(line.readableBytesView))
                    received.events += frame.params?.events.count ?? 0
                    received.dropped += frame.params?.dropped ?? 0
                }
                rest.discardReadBytes()
                if received.events + received.dropped >= count { break }
            }
            return received
        }
    }

    package func leave() async { try? await channel.channel.close() }
}

/// Signals when a line has arrived, and stops reading.
private final class FirstLine: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let arrival: EventLoopPromise<Void>

    init(_ arrival: EventLoopPromise<Void>) { self.arrival = arrival }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isWhole = unwrapInboundIn(data).readableBytesView.contains(UInt8(ascii: "\n"))
        context.fireChannelRead(data)
        if isWhole { arrival.succeed() } else { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { arrival.fail(ChannelError.eof) }
}
