import NIOCore
import NIOHTTP1

/// Collects the answer of a server that does not upgrade, and closes the connection.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// Largest body of a refusal, in bytes.
    private static let limit = 1 << 20

    private let request: HTTPRequestHead
    private let promise: EventLoopPromise<HTTPAnswer>
    private var collector = AnswerCollector(limit: limit)

    /// `request` is the one that was refused.
    init(request: HTTPRequestHead, _ promise: EventLoopPromise<HTTPAnswer>) {
        self.request = request
        self.promise = promise
    }

    var answer: EventLoopFuture<HTTPAnswer> { promise.futureResult }

    /// NIO's decoder takes no answer before it has seen a request pass: its method decides how the body ends.
    func handlerAdded(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            guard let answer = try collector.take(unwrapInboundIn(data)) else { return }
            promise.succeed(answer)
        } catch {
            promise.fail(error)
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ClientFailure.closedEarly)
        context.fireChannelInactive()
    }
}
