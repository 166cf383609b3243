import NIOConcurrencyHelpers
package import NIOCore

/// Counts the bytes of connections, as transferred by TCP, and the requests.
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

    package func add(sent: Int = 0, received: Int = 0, requests: Int = 0) {
        box.withLockedValue {
            $0.sentBytes += sent
            $0.receivedBytes += received
            $0.requests += requests
        }
    }
}

/// The first handler of a connection: reports its bytes to a `TrafficCounter`.
package final class TrafficHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer

    private let counter: TrafficCounter

    package init(_ counter: TrafficCounter) { self.counter = counter }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        counter.add(received: unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        counter.add(sent: unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
