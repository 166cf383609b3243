import NIOConcurrencyHelpers
import NIOCore

/// Counts the bytes of connections, as carried by TCP, and the requests.
package final class TrafficCounter: Sendable {
    package struct Totals: Sendable, Equatable {
        package var sentBytes = 0
        package var receivedBytes = 0
        /// HTTP requests, including upgrades.
        package var requests = 0
    }

    private let box = NIOLockedValueBox(Totals())

    package init() {}

    package var totals: Totals { box.withLockedValue { $0 } }

    func add(sent: Int = 0, received: Int = 0, requests: Int = 0) {
        box.withLockedValue {
            $0.sentBytes += sent
            $0.receivedBytes += received
            $0.requests += requests
        }
    }
}

/// The first handler of a connection: reports its bytes to a `TrafficCounter`.
final class TrafficHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let counter: TrafficCounter

    init(_ counter: TrafficCounter) { self.counter = counter }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        counter.add(received: unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        counter.add(sent: unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
