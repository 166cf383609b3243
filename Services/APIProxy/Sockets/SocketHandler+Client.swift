import BookstrackContract
import NIOCore

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

    /// Only the newest PING is answered when the peer does not read (RFC 6455 §5.5.3).
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
