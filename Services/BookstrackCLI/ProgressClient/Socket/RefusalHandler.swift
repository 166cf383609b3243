import NIOCore
import NIOHTTP1

/// Collects the answer of a server that does not upgrade, and closes the connection.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// Largest body of a refusal, in bytes.
    private static let limit = 1 << 20

    private let promise: EventLoopPromise<HTTPAnswer>
    private var collector = AnswerCollector(limit: limit)

    init(_ promise: EventLoopPromise<HTTPAnswer>) { self.promise = promise }

    var answer: EventLoopFuture<HTTPAnswer> { promise.futureResult }

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
