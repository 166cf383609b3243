import BookstrackContract
import JSONRPC
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// One WebSocket: passes its client's messages to progress-host, and progress-host's frames to its client.
///
/// It is created before the upgrade is complete, so that early frames wait in its queue. Confined to the channel's event loop. It
/// is the only object per socket and allocates nothing that a quiet socket does not need, to save memory.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Phase of the socket's life.
    enum Phase: Equatable {
        /// progress-host was asked; no 101 yet.
        case opening
        case open
        /// No more frames are taken; the close frame follows what waits.
        case draining(CloseCode, reason: String)
        /// The peer's close frame or the end of the connection is awaited.
        case closeSent
        case closed
    }

    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    private let place: SocketLimiter.Place
    var phase = Phase.opening
    var tokenNumber: Int64?
    /// Whether the client uses version 1 of the protocol, as last reported by progress-host.
    var speaksV1: Bool
    var ledger = DeliveryLedger()
    var kept: [ByteBuffer] = []
    var isDirty = false
    /// Whether progress-host waits for the receipt of a page.
    private var owesReceipt = false
    private var queue = SlowReaderQueue()
    /// Length of the terminal frame.
    private var endBytes = 0
    /// The client's messages; nil after a violation, when nothing more is read.
    var messages: ClientMessages? = ClientMessages()
    var messageCount = 0
    private var openedAt = NIODeadline.uptimeNanoseconds(0)
    /// When the unanswered PING frame was written.
    var pingedAt: NIODeadline?
    /// Code of the close frame that was sent or received.
    var closeCode: UInt16?
    var owedPong: ByteBuffer?
    var nextSignOfLife = NIODeadline.uptimeNanoseconds(0)
    private var context: ChannelHandlerContext?

    init(id: SocketID, request: SocketRequest, place: SocketLimiter.Place, shard: SocketShard) {
        self.id = id
        // The token is needed for admission only; it is not kept for the life of the socket.
        self.request = SocketRequest(
            jobId: request.jobId, token: nil, reconnect: request.reconnect, since: request.since, v1: request.v1)
        speaksV1 = request.v1
        self.place = place
        self.shard = shard
    }

    /// Called when progress-host has admitted the socket, which is now live.
    func admitted(tokenNumber: Int64?) {
        self.tokenNumber = tokenNumber
        switch phase {
        case .opening: phase = .open
        case .closed: shard.forget(id)
        default: break
        }
    }

    /// Called when the connection ended, or progress-host refused, before the upgrade was complete.
    func abandon() { end() }

    /// Called when progress-host refused or did not answer in time. If the connection has also ended, tells
    /// progress-host to forget the socket, which it may have registered late.
    func notAdmitted() {
        if phase == .closed { shard.forget(id) }
    }

    func end() {
        guard phase != .closed else { return }
        if phase != .closeSent, context != nil { shard.metrics.connectionLost() }
        if let context {
            shard.tell(.socketClosed, of: self, result: "\(closeCode ?? 1006)")
            shard.metrics.ended(after: context.eventLoop.now - openedAt, messages: messageCount)
        }
        phase = .closed
        countDropped(queue.removeAll())
        owedPong = nil
        // Freed first, so that the place is free once progress-host reports the socket as gone.
        shard.socketLimiter.leave(place)
        shard.remove(self)
    }
}

// MARK: From progress-host

extension SocketHandler {
    /// Sends a frame to the client, now or once it reads again. `bytes` is the encoded frame.
    func deliver(_ delivery: SocketDelivery, bytes: ByteBuffer) {
        guard phase == .opening || phase == .open else { return }
        if delivery.kind == .page { owesReceipt = true }
        if delivery.kind == .terminal { endBytes = bytes.readableBytes }
        if ledger.admit(delivery.kind, seq: delivery.seq) {
            hand(bytes, kind: delivery.kind)
        }
        giveReceipt()
    }

    private func hand(_ bytes: ByteBuffer, kind: SocketDelivery.Kind) {
        if queue.isEmpty, let context, takesMore(context) {
            send(bytes, kind, context)
        } else {
            keep(.init(kind: kind, bytes: bytes))
        }
    }

    private func send(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind, _ context: ChannelHandlerContext) {
        write(bytes, context)
        shard.metrics.frame(kind, .sent)
        if kind == .ping, pingedAt == nil { pingedAt = context.eventLoop.now }
    }

    private func keep(_ entry: SlowReaderQueue.Entry) {
        switch queue.append(entry, coalesces: context != nil) {
        case .kept: shard.metrics.waiting.add()
        case .coalesced: shard.metrics.frame(entry.kind, .coalesced)
        case .overflow:
            shard.metrics.frame(entry.kind, .dropped)
            countDropped(queue.discard())
            close(.tryAgainLater, reason: "reads too slowly")
        }
    }

    private func countDropped(_ kinds: [SocketDelivery.Kind]) {
        shard.metrics.waiting.subtract(kinds.count)
        for kind in kinds { shard.metrics.frame(kind, .dropped) }
    }

    /// Tells progress-host that a page is written, if it waits for that and everything is written.
    func giveReceipt() {
        guard owesReceipt, phase == .open, queue.isEmpty, let context, takesMore(context) else { return }
        owesReceipt = !shard.caughtUp(self)
    }

    /// Whether the peer can take more. A burst within one tick does not make a peer slow; only bytes that remain after
    /// a flush do.
    private func takesMore(_ context: ChannelHandlerContext) -> Bool {
        if !context.channel.isWritable, isDirty { context.flush() }
        return context.channel.isWritable
    }

    /// Closes once everything delivered before is written, after ``PeerTimeouts/drain(endOf:)`` at the latest.
    func close(_ code: CloseCode, reason: String) {
        guard phase == .opening || phase == .open else { return }
        phase = .draining(code, reason: reason)
        guard let context else { return }
        armDrainLimit(context)
        drain(context)
    }

    /// Called when this process is stopping (operations.md): a peer that is slow to read its terminal frame gets no
    /// extra time.
    func closeForRestart() {
        endBytes = 0
        switch phase {
        case .opening, .open: close(.serviceRestart, reason: "server restarts")
        case .draining, .closeSent: if let context { armDrainLimit(context) }
        case .closed: break
        }
    }

    private func armDrainLimit(_ context: ChannelHandlerContext) {
        let limit = shard.timeouts.drain(endOf: endBytes)
        context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
            guard let self, let context = self.context, case .draining(let code, let reason) = self.phase else {
                return
            }
            self.sendClose(code, reason: reason, context)
        }
        hangUp(in: limit + shard.timeouts.closeReply, context)
    }

    private func hangUp(in time: TimeAmount, _ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            self?.context?.close(promise: nil)
        }
    }

    /// Writes queued frames as long as the peer takes them.
    private func drain(_ context: ChannelHandlerContext) {
        while takesMore(context), let entry = queue.popFirst() {
            shard.metrics.waiting.subtract()
            send(entry.bytes, entry.kind, context)
        }
        if queue.isEmpty, case .draining(let code, let reason) = phase { sendClose(code, reason: reason, context) }
        giveReceipt()
    }

    /// Sends the close frame, after which nothing may follow (RFC 6455 §5.5.1): queued frames are dropped.
    private func sendClose(_ code: CloseCode, reason: String, _ context: ChannelHandlerContext) {
        phase = .closeSent
        countDropped(queue.removeAll())
        owedPong = nil
        closeCode = code.rawValue
        shard.metrics.closed(code)
        // Bytes written before it may take long to reach a slow peer.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in
            guard let self, let context = self.context else { return }
            self.hangUp(in: self.shard.timeouts.closeReply, context)
        }
        context.write(wrapOutboundOut(WebSocketWire.close(code, reason: reason)), promise: written)
        shard.flushSoon(self)
        // The server does not wait for a client that broke a rule (RFC 6455 §7.1.7).
        if messages == nil { endOutput(context) }
    }

    private func endOutput(_ context: ChannelHandlerContext) {
        flush()
        context.close(mode: .output, promise: nil)
    }

    func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(bytes), promise: nil)
        shard.flushSoon(self)
    }

    func flush() {
        isDirty = false
        context?.flush()
    }
}

// MARK: The channel

extension SocketHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        openedAt = context.eventLoop.now
        shard.metrics.socketOpened()
        shard.tell(.socketOpened, of: self)
        if case .draining = phase { armDrainLimit(context) }
        drain(context)
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
            drain(context)
        }
        context.fireChannelWritabilityChanged()
    }
}

// MARK: From the client

extension SocketHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        messages?.append(unwrapInboundIn(data))
        do throws(ClientViolation) {
            while phase != .closed, let arrival = try messages?.next(at: context.eventLoop.now) {
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
        case _ where phase != .open: break
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
        let echo = phase == .closeSent ? nil : WebSocketWire.closeEcho(payload)
        if echo != nil {
            shard.metrics.peerClosed(payload)
            closeCode = payload.getInteger(at: payload.readerIndex)
            phase = .closeSent
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
