import BookstrackContract
import NIOCore

/// The user of a WebSocket: acts on the client's messages, and decides when the connection ends.
///
/// Confined to the channel's event loop.
protocol WebSocketOwner: AnyObject {
    /// Whether messages from the client are still processed.
    var takesMessages: Bool { get }
    /// Called when the upgrade response is written; from then on, frames can be written.
    func opened()
    func received(_ text: String)
    /// Called when a PING or PONG frame from the client has arrived.
    func heard()
    /// Called when the client is reading again.
    func clientReads()
    /// Flushes the written bytes, together with everything else that is written in this turn of the event loop.
    func flushSoon()
    func close(_ code: CloseCode, reason: String)
    /// Closes the socket because the server is stopping.
    func closeForRestart()
    /// Called when the client has closed the socket, the connection has ended, or its upgrade was not completed.
    func ended()
}

/// A connection that has become a WebSocket (RFC 6455): assembles its client's messages, answers PING frames, and performs the closing
/// handshake.
final class UpgradedConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The user of the connection; nil after ``WebSocketOwner/ended()``.
    var owner: (any WebSocketOwner)?
    private let metrics: SocketMetrics
    private let closeReply: TimeAmount
    /// The client's messages; nil after a violation or the client's close frame, after which arriving bytes are dropped.
    private var messages: ClientMessages? = ClientMessages()
    private var messageCount = 0
    private var openedAt = NIODeadline.uptimeNanoseconds(0)
    /// When the oldest unanswered PING frame was written; nil if there is none.
    private var pingedAt: NIODeadline?
    /// Whether a close frame was sent; nothing may follow it (RFC 6455 §5.5.1).
    private var hasSentClose = false
    /// Code of the close frame that was sent or received; nil if there was none, or if it had no code.
    private(set) var closeCode: UInt16?
    /// The PONG frame that waits until the client reads again; nil if there is none.
    private var owedPong: ByteBuffer?
    private var context: ChannelHandlerContext?

    var channel: (any Channel)? { context?.channel }

    init(_ metrics: SocketMetrics, _ timeouts: PeerTimeouts) {
        self.metrics = metrics
        closeReply = timeouts.closeReply
    }

    /// Tells the owner that the connection has ended, because its upgrade was not completed.
    func abandon() { finish() }

    private func finish() {
        guard let owner else { return }
        self.owner = nil
        if let context {
            if !hasSentClose { metrics.connectionLost() }
            metrics.ended(after: context.eventLoop.now - openedAt, messages: messageCount)
        }
        owedPong = nil
        owner.ended()
    }
}

// MARK: To the client

extension UpgradedConnection {
    /// Writes a frame; the owner flushes it.
    func write(_ bytes: ByteBuffer) {
        context?.write(wrapOutboundOut(bytes), promise: nil)
        owner?.flushSoon()
    }

    /// Writes bytes that end with a PING frame.
    func write(ping bytes: ByteBuffer) {
        if pingedAt == nil { pingedAt = context?.eventLoop.now }
        write(bytes)
    }

    func flush() { context?.flush() }

    /// Sends the close frame, and ends the connection if the client does not answer it in time.
    func sendClose(_ code: CloseCode, reason: String) {
        guard let context else { return }
        hasSentClose = true
        owedPong = nil
        closeCode = code.rawValue
        metrics.closed(code)
        // The client's time to answer starts once the frame is written: earlier bytes may take long to reach a slow client.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.scheduleClose() }
        context.write(wrapOutboundOut(WebSocketWire.close(code, reason: reason)), promise: written)
        owner?.flushSoon()
        // The server does not wait for a client that broke a rule (RFC 6455 §7.1.7).
        if messages == nil { endOutput(context) }
    }

    private func endOutput(_ context: ChannelHandlerContext) {
        context.flush()
        context.close(mode: .output, promise: nil)
    }

    /// Ends the connection unless the closing handshake ends in time.
    func scheduleClose() {
        context?.eventLoop.assumeIsolated().scheduleTask(in: closeReply) { [weak self] in
            self?.context?.close(promise: nil)
        }
    }
}

// MARK: From the client

extension UpgradedConnection {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        messages?.append(unwrapInboundIn(data))
        do throws(ClientViolation) {
            while owner != nil, let arrival = try messages?.next(at: context.eventLoop.now) {
                take(arrival, context)
            }
        } catch {
            messages = nil
            owner?.close(error.code, reason: error.reason)
        }
    }

    private func take(_ arrival: ClientMessages.Arrival, _ context: ChannelHandlerContext) {
        switch arrival {
        case .close(let payload): peerClosed(payload, context)
        case _ where owner?.takesMessages != true: break
        case .message(let text):
            messageCount += 1
            metrics.messageReceived()
            owner?.received(text)
        case .ping(let payload):
            answerPing(payload, context)
            owner?.heard()
        case .pong:
            if let pingedAt { metrics.ponged(after: context.eventLoop.now - pingedAt) }
            pingedAt = nil
            owner?.heard()
        }
    }

    /// Answers a PING. Of several PINGs that arrive while the client does not read, only the newest is answered (RFC 6455 §5.5.3).
    private func answerPing(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        let pong = WebSocketWire.pong(payload)
        if context.channel.isWritable { write(pong) } else { owedPong = pong }
    }

    private func peerClosed(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        let echo = hasSentClose ? nil : WebSocketWire.closeEcho(payload)
        if echo != nil {
            metrics.peerClosed(payload)
            closeCode = payload.getInteger(at: payload.readerIndex)
            hasSentClose = true
        }
        finish()
        messages = nil
        guard let echo else { return context.close(promise: nil) }
        // The echo may wait for a client that reads nothing.
        scheduleClose()
        context.writeAndFlush(wrapOutboundOut(echo)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
}

// MARK: The channel

extension UpgradedConnection {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        openedAt = context.eventLoop.now
        metrics.socketOpened()
        owner?.opened()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            if let pong = owedPong {
                owedPong = nil
                write(pong)
            }
            owner?.clientReads()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: owner?.closeForRestart()
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
