import NIOCore
import NIOHTTP1

/// Decodes a client's requests as long as the ``HTTPConnection`` behind it accepts them.
///
/// NIO's decoder reads nothing after a request that offers an upgrade, and its handler buffers all bytes that follow. Here, the next request gets a
/// new decoder, so the connection stays usable after an offer that is not accepted. The connection closes if more than ``maxKeptBytes`` bytes are
/// kept.
final class RequestInput: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How incoming bytes are handled.
    private enum Mode {
        case decoding
        /// Bytes are kept, and no more are read.
        case holding
        /// Bytes are read and dropped.
        case discarding
    }

    /// Maximum number of kept bytes. This is more than the event loop reads in one turn (4 times 64 KiB), and more than the incomplete header field
    /// that a decoder may leave unread.
    static let maxKeptBytes = 512 << 10
    /// Maximum number of bytes that are read only to be dropped: most clients send a whole file before they read its refusal. A client that sends
    /// more would not read the response anyway.
    private static let maxDiscardedBytes = 16 << 20

    /// Limits for header fields from clients and proxies. They are needed because `TailHub` keeps the heads of recent requests in memory.
    private static var limits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 << 10
        limits.maxHeaderListSize = 32 << 10
        return limits
    }

    private static func makeDecoder() -> HTTPRequestDecoder {
        HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
    }

    /// The handler behind this one. It is notified of bytes before they are decoded; otherwise, it would not notice a head that arrives too slowly.
    var connection: HTTPConnection?
    private var decoder = makeDecoder()
    private var mode = Mode.decoding
    private var kept = ByteBuffer()
    /// Number of bytes that were read and dropped (``Mode/discarding``).
    private(set) var discarded = 0
    /// Whether bytes are being decoded; they may contain further requests.
    private(set) var isDecoding = false
    private var isAtEnd = false
    /// Whether the client closed its sending side while bytes were held.
    private var isEndHeld = false
    private var decoderHasEnded = false
    private var owesRead = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        decoder.decoderAdded(context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        decoder.decoderRemoved(context: context)
        connection = nil
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if mode == .discarding {
            discarded += bytes.readableBytes
            if discarded > Self.maxDiscardedBytes { context.close(promise: nil) }
            return
        }
        if mode == .decoding { connection?.bytesArrived() }
        if kept.readableBytes > 0 { kept.writeBuffer(&bytes) } else { kept = bytes }
        decode(context)
        if mode == .decoding { connection?.bytesDecoded() }
        if kept.readableBytes > Self.maxKeptBytes { context.close(promise: nil) }
    }

    func read(context: ChannelHandlerContext) {
        if mode == .holding { owesRead = true } else { context.read() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The consumer of the requests might have stopped issuing reads.
        if mode == .discarding { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end(context) }
        context.fireUserInboundEventTriggered(event)
    }
}

// MARK: Calls from the connection

extension RequestInput {
    /// Records the end of a request after which the decoder stops.
    func offerEnded() { decoderHasEnded = true }

    /// Keeps the bytes after the request that is being decoded, and stops reading.
    func hold() {
        if mode == .decoding { mode = .holding }
    }

    /// Ends ``hold()``: decodes the kept bytes and resumes reading.
    func release() {
        guard mode == .holding, let context else { return }
        mode = .decoding
        if !isDecoding, kept.readableBytes > 0 {
            connection?.bytesArrived()
            decode(context)
            if mode == .decoding { connection?.bytesDecoded() }
            // The channel does this after a read. Until then, the router's handler does not pass on what it has received.
            context.fireChannelReadComplete()
        }
        if isEndHeld { end(context) }
        guard mode == .decoding, owesRead else { return }
        owesRead = false
        context.read()
    }

    /// Writes bytes of a response that does not pass through NIO's encoder.
    func write(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>?, flushes: Bool) {
        guard let context else { return promise.map { $0.fail(ChannelError.ioOnClosedChannel) } ?? () }
        context.write(wrapOutboundOut(bytes), promise: promise)
        if flushes { context.flush() }
    }

    /// Drops incoming bytes, within limits, until the connection ends.
    func discard() {
        mode = .discarding
        kept = ByteBuffer()
        owesRead = false
        context?.read()
    }

    /// Removes and returns the kept bytes, to be decoded or passed to the protocol that follows.
    func takeHeld() -> ByteBuffer {
        defer { kept = ByteBuffer() }
        return kept
    }
}

// MARK: Decoding

extension RequestInput {
    private func decode(_ context: ChannelHandlerContext) {
        isDecoding = true
        defer { isDecoding = false }
        while mode == .decoding, !isAtEnd, kept.readableBytes > 0 {
            // The bytes are not decoded in place, since a decoded part may make the connection drop the kept bytes.
            var bytes = takeHeld()
            do {
                _ = try decoder.decode(context: context, buffer: &bytes)
            } catch {
                // The decoder also reports bytes after a request with `Connection: close` as an error.
                guard mode == .decoding else { return }
                mode = .holding
                return context.fireErrorCaught(error)
            }
            if mode != .discarding, bytes.readableBytes > 0 {
                bytes.discardReadBytes()
                kept = bytes
            }
            guard decoderHasEnded else { return }
            renewDecoder(context)
        }
    }

    private func renewDecoder(_ context: ChannelHandlerContext) {
        decoder.decoderRemoved(context: context)
        decoder = Self.makeDecoder()
        decoder.decoderAdded(context: context)
        decoderHasEnded = false
    }

    /// Called when the client has closed its sending side or the channel has closed: an incomplete request is then an error. While bytes are held,
    /// this is postponed until ``release()``.
    private func end(_ context: ChannelHandlerContext) {
        guard !isAtEnd else { return }
        if mode == .holding {
            isEndHeld = true
            return
        }
        isAtEnd = true
        guard mode == .decoding, !isDecoding else { return }
        var bytes = takeHeld()
        do {
            _ = try decoder.decodeLast(context: context, buffer: &bytes, seenEOF: true)
        } catch {
            context.fireErrorCaught(error)
        }
    }
}
