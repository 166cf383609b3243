import NIOCore
import NIOHTTP1
import NIOPosix

/// Writes one response to one channel as specified by its ``Delivery``. It is used only on the channel's event loop.
struct Deliverer {
    /// Time after which a hanging or stalled connection is closed.
    private static let hangLimit = TimeAmount.minutes(10)
    private static let chunk = 1 << 16

    private let context: ChannelHandlerContext
    private let keepAlive: Bool
    private let finished: () -> Void

    /// - Parameter finished: Called just before the end of a complete response is written. All other deliveries close the channel without calling it.
    init(context: ChannelHandlerContext, keepAlive: Bool, finished: @escaping () -> Void) {
        self.context = context
        self.keepAlive = keepAlive
        self.finished = finished
    }

    func deliver(_ manner: Delivery.Manner) {
        guard context.channel.isActive else { return }
        switch manner {
        case .whole(let answer): whole(answer)
        case .stall(let answer):
            half(of: answer, promise: nil)
            closeLater()
        case .truncate(let answer):
            let context = context
            let written = context.eventLoop.makePromise(of: Void.self)
            half(of: answer, promise: written)
            written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        case .padded(let answer, let padding): padded(answer, padding)
        case .hang: closeLater()
        case .reset: reset()
        }
    }

    private func whole(_ answer: Answer) {
        writeHead(answer, length: answer.body.readableBytes)
        context.write(part(.body(.byteBuffer(answer.body))), promise: nil)
        end()
    }

    private func end() {
        let (context, keepAlive) = (context, keepAlive)
        finished()
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(part(.end(nil)), promise: written)
        guard !keepAlive else { return }
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    private func half(of answer: Answer, promise: EventLoopPromise<Void>?) {
        writeHead(answer, length: answer.body.readableBytes)
        let half = answer.body.getSlice(at: answer.body.readerIndex, length: answer.body.readableBytes / 2)
        context.writeAndFlush(part(.body(.byteBuffer(half ?? ByteBuffer()))), promise: promise)
    }

    private func padded(_ answer: Answer, _ padding: Delivery.Padding) {
        writeHead(answer, length: nil)
        let spaces = ByteBuffer(repeating: 0x20, count: Self.chunk)
        switch padding {
        case .before(let count): pad(spaces, remaining: count, then: answer.body)
        case .after(let count):
            context.write(part(.body(.byteBuffer(answer.body))), promise: nil)
            pad(spaces, remaining: count, then: ByteBuffer())
        }
    }

    /// Writes `remaining` bytes of padding and then `body`. Each chunk waits for the previous one, so memory use stays bounded with a slow client.
    private func pad(_ chunk: ByteBuffer, remaining: Int, then body: ByteBuffer) {
        guard remaining > 0 else {
            context.write(part(.body(.byteBuffer(body))), promise: nil)
            return end()
        }
        let slice = chunk.getSlice(at: 0, length: min(remaining, chunk.readableBytes)) ?? chunk
        context.writeAndFlush(part(.body(.byteBuffer(slice)))).assumeIsolated().whenSuccess {
            pad(chunk, remaining: remaining - slice.readableBytes, then: body)
        }
    }

    private func reset() {
        let channel = context.channel
        guard let options = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
    }

    private func closeLater() {
        let channel = context.channel
        let close = context.eventLoop.scheduleTask(in: Self.hangLimit) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in close.cancel() }
    }

    /// - Parameter length: If nil, the body is sent in chunks.
    private func writeHead(_ answer: Answer, length: Int?) {
        var headers = answer.headers
        if let length {
            headers.replaceOrAdd(name: "Content-Length", value: String(length))
        } else {
            headers.replaceOrAdd(name: "Transfer-Encoding", value: "chunked")
        }
        if !keepAlive { headers.replaceOrAdd(name: "Connection", value: "close") }
        context.write(
            part(.head(HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers))), promise: nil)
    }

    private func part(_ part: HTTPServerResponsePart) -> NIOAny { NIOAny(part) }
}

/// How, and after what delay, a response is delivered to the client.
struct Delivery: Sendable {
    /// Where white space is added to the body, and how many bytes of it.
    enum Padding: Sendable {
        case before(Int)
        case after(Int)
    }

    enum Manner: Sendable {
        case whole(Answer)
        /// Half of the body, and then nothing more.
        case stall(Answer)
        /// Half of the body, and then the end of the connection.
        case truncate(Answer)
        /// White space before or after the body, in chunks.
        case padded(Answer, Padding)
        case hang
        case reset
    }

    let manner: Manner
    let delay: Duration
    /// The provider that sends the response; nil for the emulator's own routes.
    let provider: Provider?
}
