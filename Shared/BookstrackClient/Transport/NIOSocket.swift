#if NIOTransport && canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOWebSocket

    /// A WebSocket over SwiftNIO, for Linux, where `URLSession` has no WebSockets.
    final class NIOSocket: WebSocketConnection {
        private let channel: any Channel
        private let incoming: IncomingMessages

        init(channel: any Channel, incoming: IncomingMessages) {
            self.channel = channel
            self.incoming = incoming
        }

        deinit { channel.close(promise: nil) }

        /// Connects, with TLS for `wss`, and returns when the server has accepted the WebSocket.
        static func open(_ request: URLRequest, _ connections: NIOConnections) async throws(TransportFailure)
            -> NIOSocket
        {
            try await NIOConnecting.translate(request) {
                let place = try NIOConnecting(request, connections)
                let handshake = WebSocketHandshake(
                    target: place.target, host: place.hostField, fields: request.allHTTPHeaderFields ?? [:])
                let opened = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: NIOSocket.self)
                do {
                    let channel = try await place.connect(on: opened.futureResult.eventLoop) { channel in
                        try channel.pipeline.syncOperations.addHandler(
                            HandshakeHandler(handshake: handshake, timeout: place.timeout, opened: opened))
                    }
                    return try await withTaskCancellationHandler {
                        try await opened.futureResult.get()
                    } onCancel: {
                        channel.close(promise: nil)
                    }
                } catch {
                    opened.fail(error)
                    throw error
                }
            }
        }

        func receive() async throws(TransportFailure) -> WebSocketMessage { try await incoming.next() }

        func send(_ text: String) async throws(TransportFailure) {
            do {
                let frame = WebSocketFrame(
                    fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: text))
                try await channel.writeAndFlush(frame)
            } catch {
                throw .lost("\(error)")
            }
        }

        func close() async {
            let code = ByteBuffer(integer: UInt16(1_000))
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: code)
            try? await channel.writeAndFlush(frame)
            try? await channel.close()
        }
    }

    /// Passes messages from the event loop to the single receiving task.
    ///
    /// The queue is unbounded: the server sends only a few events per second for each job, and limits the backlog on its side (websocket.md "Slow
    /// readers").
    final class IncomingMessages: Sendable {
        private let source: AsyncStream<WebSocketMessage>.Continuation
        /// Read by only one `receive` at a time.
        private let messages: AsyncStream<WebSocketMessage>

        init() { (messages, source) = AsyncStream.makeStream() }

        func add(_ message: WebSocketMessage) { source.yield(message) }

        func end() { source.finish() }

        func next() async throws(TransportFailure) -> WebSocketMessage {
            var iterator = messages.makeAsyncIterator()
            if let message = await iterator.next() { return message }
            throw Task.isCancelled ? .cancelled : .lost("the connection was lost")
        }
    }

    /// Requests the upgrade and installs the WebSocket handlers before more bytes are read: a server may send its 101, frames and the close in one
    /// packet.
    private final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var handshake: WebSocketHandshake
        private let timeout: TimeAmount
        private let opened: EventLoopPromise<NIOSocket>
        private var isOpen = false
        private var timer: Scheduled<Void>?

        init(handshake: WebSocketHandshake, timeout: TimeAmount, opened: EventLoopPromise<NIOSocket>) {
            self.handshake = handshake
            self.timeout = timeout
            self.opened = opened
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: handshake.request)), promise: nil)
            let (channel, opened) = (context.channel, opened)
            timer = context.eventLoop.scheduleTask(in: timeout) {
                opened.fail(TransportFailure.timedOut)
                channel.close(promise: nil)
            }
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isOpen else { return context.fireChannelRead(data) }
            do {
                switch try handshake.read(Data(unwrapInboundIn(data).readableBytesView)) {
                case nil: break
                case .refused(let answer)?:
                    opened.fail(TransportFailure.refused(answer))
                    context.close(promise: nil)
                case .accepted(let rest)?:
                    try open(context)
                    if !rest.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: rest))) }
                }
            } catch {
                opened.fail(error)
                context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            if let answer = handshake.refusalAtEnd { opened.fail(TransportFailure.refused(answer)) }
            opened.fail(TransportFailure.lost(NIOConnecting.closedEarly))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            opened.fail(error)
            context.close(promise: nil)
        }

        func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

        private func open(_ context: ChannelHandlerContext) throws {
            isOpen = true
            timer?.cancel()
            let incoming = IncomingMessages()
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandler(WebSocketFrameEncoder())
            try pipeline.addHandler(ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 2 << 20)))
            try pipeline.addHandler(
                NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024, maxAccumulatedFrameSize: 2 << 20))
            try pipeline.addHandler(MessageHandler(incoming))
            opened.succeed(NIOSocket(channel: context.channel, incoming: incoming))
        }
    }

    /// Passes text messages and the close to the receiving task, and answers pings (RFC 6455 §5.5).
    private final class MessageHandler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        private let incoming: IncomingMessages

        init(_ incoming: IncomingMessages) { self.incoming = incoming }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var frame = unwrapInboundIn(data)
            switch frame.opcode {
            case .text, .binary: incoming.add(.text(String(buffer: frame.data)))
            case .ping:
                let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.data)
                context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
            case .connectionClose:
                incoming.add(.closed(code: frame.data.readInteger(as: UInt16.self).map(Int.init) ?? 1_005))
                context.close(promise: nil)
            default: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            incoming.end()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
