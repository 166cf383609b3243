import NIOCore
import NIOHTTP1

/// A request on its way and the promise of its answer.
struct HTTPExchange: Sendable {
    struct Outcome: Sendable {
        var answer: HTTPAnswer
        /// Whether the connection can carry another request.
        var keepsConnection: Bool
    }

    var head: HTTPRequestHead
    var body: ByteBuffer?
    var promise: EventLoopPromise<Outcome>
}
