import NIOCore
import NIOHTTP1

/// Carries one exchange after the other over a connection: takes `HTTPExchange`s in place of request parts.
final class HTTPExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    private let limit: Int
    private var collector: AnswerCollector
    private var promise: EventLoopPromise<HTTPExchange.Outcome>?

    init(limit: Int) {
        self.limit = limit
        collector = AnswerCollector(limit: limit)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise written: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        promise = exchange.promise
        collector = AnswerCollector(limit: limit)
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: written)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            guard let answer = try collector.take(unwrapInboundIn(data)) else { return }
            finish(.success(.init(answer: answer, keepsConnection: collector.keepsConnection)))
        } catch {
            finish(.failure(error))
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(lostConnection))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error is IOError ? lostConnection : ClientFailure(error)))
        context.close(promise: nil)
    }

    private var lostConnection: any Error { collector.hasBegun ? ClientFailure.closedEarly : UnansweredClose() }

    private func finish(_ result: Result<HTTPExchange.Outcome, any Error>) {
        promise?.completeWith(result)
        promise = nil
    }
}
