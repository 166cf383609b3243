import BookstrackContract
import JSONRPC
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// One WebSocket: passes its client's messages to progress-host, and progress-host's frames to its client.
final class SocketHandler: Watcher, ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var codec: FrameCodec { .webSocket }

    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    var state: WatcherState
    /// The client's messages; nil after a violation, when nothing more is read.
    private var messages: ClientMessages? = ClientMessages()
    private var messageCount = 0
    private var openedAt = NIODeadline.uptimeNanoseconds(0)
    /// When the unanswered PING frame was written.
    private var pingedAt: NIODeadline?
    /// Code of the close frame that was sent or received.
    private var closeCode: UInt16?
    private var owedPong: ByteBuffer?
    private var nextSignOfLife = NIODeadline.uptimeNanoseconds(0)
    private var context: ChannelHandlerContext?

    var channel: (any Channel)? { context?.channel }

    init(id: SocketID, request: SocketRequest, place: SocketLimiter.Place, shard: SocketShard) {
        self.id = id
        self.request = request.withoutToken
        state = WatcherState(place: place, speaksV1: request.v1)
        self.shard = shard
    }

    func end() {
        guard state.phase != .closed else { return }
        if state.phase != .closeSent, context != nil { shard.metrics.connectionLost() }
        if let context {
            shard.tell(.socketClosed, of: self, result: "\(closeCode ?? 1006)")
            shard.metrics.ended(after: context.eventLoop.now - openedAt, messages: messageCount)
        }
        owedPong = nil
        leave()
    }
}

// MARK: To the client

extension SocketHandler {
    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, seq: Int) {
        guard let context else { return }
        write(bytes, context)
        if kind == .ping, pingedAt == nil { pingedAt = context.eventLoop.now }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(bytes), promise: nil)
        shard.flushSoon(self)
    }

    func flush() {
        state.isDirty = false
        context?.flush()
    }

    func drainTimedOut() {
        if case .draining(let code, let reason) = state.phase { sendEnd(code, reason: reason) }
        hangUp()
    }

    private func hangUp() {
        context?.eventLoop.assumeIsolated().scheduleTask(in: shard.timeouts.closeReply) { [weak self] in
            self?.context?.close(promise: nil)
        }
    }

    /// Sends the close frame, after which nothing may follow (RFC 6455 §5.5.1): queued frames are dropped.
    func sendEnd(_ code: CloseCode, reason: String) {
        guard let context else { return }
        state.phase = .closeSent
        dropWaiting()
        owedPong = nil
        closeCode = code.rawValue
        shard.metrics.closed(code)
        // Bytes written before it may take long to reach a slow peer.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.hangUp() }
        context.write(wrapOutboundOut(WebSocketWire.close(code, reason: reason)), promise: written)
        shard.flushSoon(self)
        // The server does not wait for a client that broke a rule (RFC 6455 §7.1.7).
        if messages == nil { endOutput(context) }
    }

    private func endOutput(_ context: ChannelHandlerContext) {
        flush()
        context.close(mode: .output, promise: nil)
    }
}

// MARK: The channel

extension SocketHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        openedAt = context.eventLoop.now
        shard.metrics.socketOpened()
        shard.tell(.socketOpened, of: self)
        if case .draining = state.phase { watchDraining() }
        drain()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            if let payload = owedPong {
                owedPong = nil
                write(WebSocketWire.pong(payload), context)
            }
            drain()
        }
        context.fireChannelWritabilityChanged()
    }
}

// MARK: From the client

extension SocketHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        messages?.append(unwrapInboundIn(data))
        do throws(ClientViolation) {
            while state.phase != .closed, let arrival = try messages?.next(at: context.eventLoop.now) {
                take(arrival, context)
            }
        } catch {
            messages = nil
            close(error.code, reason: error.reason)
        }
    }

    private func take(_ arrival: ClientMessages.Arrival, _ context: ChannelHandlerContext) {
        switch arrival {
        case .close(let payload): peerClosed(payload, context)
        case _ where state.phase != .open: break
        case .message(let text):
            messageCount += 1
            shard.metrics.messageReceived()
            if !shard.forward(text, from: self) { close(.tryAgainLater, reason: "the service is busy") }
        case .ping(let payload):
            answerPing(payload, context)
            noteLife(context)
        case .pong:
            if let pingedAt { shard.metrics.ponged(after: context.eventLoop.now - pingedAt) }
            pingedAt = nil
            noteLife(context)
        }
    }

    /// Only the newest PING is answered while the peer does not read (RFC 6455 §5.5.3).
    private func answerPing(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        if context.channel.isWritable {
            write(WebSocketWire.pong(payload), context)
        } else {
            owedPong = payload
        }
    }

    private func noteLife(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        guard now >= nextSignOfLife else { return }
        nextSignOfLife = now + SocketShard.signOfLifeInterval
        shard.signOfLife(of: self)
    }

    private func peerClosed(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        let echo = state.phase == .closeSent ? nil : WebSocketWire.closeEcho(payload)
        if echo != nil {
            shard.metrics.peerClosed(payload)
            closeCode = payload.getInteger(at: payload.readerIndex)
            state.phase = .closeSent
        }
        end()
        guard let echo else { return context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(echo)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
}

// MARK: Events and errors

extension SocketHandler {
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: closeForRestart()
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
