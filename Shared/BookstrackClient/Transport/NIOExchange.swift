#if NIOTransport && canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL

    /// A request and its response over SwiftNIO, for Linux, where `URLSession` crashes the process when a connection breaks within a response head.
    enum NIOExchange {
        /// A reused connection was closed before the head of the response arrived, most likely before the server read the request.
        fileprivate struct StaleConnection: Error {}

        /// Sends a request and returns when the response head has arrived.
        ///
        /// Only idempotent requests (RFC 9110 §9.2.2) reuse an idle connection, because they are repeated if the server has just closed it.
        static func start(_ request: URLRequest, over connections: NIOConnections) async throws(TransportFailure)
            -> ClientStream
        {
            try await NIOConnecting.translate(request) {
                let place = try NIOConnecting(request, connections)
                if request.httpMethod != "POST", let kept = connections.takeIdle() {
                    let (body, source) = AsyncThrowingStream<Data, any Error>.makeStream()
                    let exchange = exchange(request, place, isReused: true, source, on: kept.eventLoop)
                    kept.writeAndFlush(exchange).whenFailure {
                        // If the connection is already closed, there is no further callback.
                        if case ChannelError.ioOnClosedChannel = $0 { exchange.break() }
                    }
                    do {
                        return ClientStream(head: try await exchange.responseHead(over: kept), body: body)
                    } catch is StaleConnection {
                        // The request may have been cancelled, which closes the connection as well.
                        try Task.checkCancellation()
                    }
                }
                let loop = MultiThreadedEventLoopGroup.singleton.next()
                let (body, source) = AsyncThrowingStream<Data, any Error>.makeStream()
                let exchange = exchange(request, place, isReused: false, source, on: loop)
                let channel: any Channel
                do {
                    channel = try await place.connect(on: loop) { [weak connections] channel in
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(
                            ExchangeHandler(first: exchange) { connections?.keep($0) ?? $0.close(promise: nil) })
                    }
                } catch {
                    exchange.end(error)
                    throw error
                }
                return ClientStream(head: try await exchange.responseHead(over: channel), body: body)
            }
        }

        private static func exchange(
            _ request: URLRequest, _ place: NIOConnecting, isReused: Bool,
            _ body: AsyncThrowingStream<Data, any Error>.Continuation, on loop: any EventLoop
        ) -> ExchangeHandler.Exchange {
            ExchangeHandler.Exchange(
                head: requestHead(request, place), requestBody: request.httpBody.map { ByteBuffer(bytes: $0) },
                timeout: place.timeout, isReused: isReused, answer: loop.makePromise(), body: body)
        }

        private static func requestHead(_ request: URLRequest, _ place: NIOConnecting) -> HTTPRequestHead {
            var headers = HTTPHeaders([("Host", place.hostField)])
            for (name, value) in request.allHTTPHeaderFields ?? [:] { headers.add(name: name, value: value) }
            let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
            if let body = request.httpBody {
                headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
            } else if method == .POST {
                headers.replaceOrAdd(name: "Content-Length", value: "0")
            }
            return HTTPRequestHead(version: .http1_1, method: method, uri: place.target, headers: headers)
        }
    }

    /// Sends requests one after the other and passes on their responses as they arrive.
    private final class ExchangeHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundIn = Exchange
        typealias OutboundOut = HTTPClientRequestPart

        /// A request, and where its response goes.
        struct Exchange: Sendable {
            let head: HTTPRequestHead
            let requestBody: ByteBuffer?
            let timeout: TimeAmount
            /// Whether the connection has carried an earlier request.
            let isReused: Bool
            let answer: EventLoopPromise<ClientAnswer>
            /// The source of the response's body. The exchange does not retain the stream itself, which therefore ends when its reader releases it.
            let body: AsyncThrowingStream<Data, any Error>.Continuation

            /// Closes the connection when the body is no longer read. Call this before the request is sent, because after the end of the body the
            /// connection may already serve the next request.
            func closeWhenUnread(_ channel: any Channel) {
                body.onTermination = { if case .cancelled = $0 { channel.close(promise: nil) } }
            }

            /// Returns the head of the response when it has arrived.
            func responseHead(over channel: any Channel) async throws -> ClientAnswer {
                try await withTaskCancellationHandler {
                    try await answer.futureResult.get()
                } onCancel: {
                    channel.close(promise: nil)
                }
            }

            /// Handles a connection that broke before the head of the response arrived.
            func `break`() {
                end(isReused ? NIOExchange.StaleConnection() : TransportFailure.lost(NIOConnecting.closedEarly))
            }

            func end(_ failure: any Error) {
                answer.fail(failure)
                body.finish(throwing: failure)
            }
        }

        private let first: Exchange
        private let keep: (any Channel) -> Void
        private var exchange: Exchange?
        /// Whether the head of the response has arrived, and whether the connection stays open afterward.
        private var answering: (hasBegun: Bool, isKept: Bool) = (false, false)
        private var timer: Scheduled<Void>?

        /// Creates a handler. `first` is sent as soon as the connection exists, so the request fails together with the connection: a TLS handshake
        /// may fail before the connecting task resumes. `keep` receives a connection that can carry another request.
        init(first: Exchange, keep: @escaping (any Channel) -> Void) {
            self.first = first
            self.keep = keep
        }

        func channelActive(context: ChannelHandlerContext) {
            send(first, context, promise: nil)
            context.flush()
            context.fireChannelActive()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            send(unwrapOutboundIn(data), context, promise: promise)
        }

        private func send(_ exchange: Exchange, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
            self.exchange = exchange
            answering = (false, false)
            exchange.closeWhenUnread(context.channel)
            context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
            if let body = exchange.requestBody {
                context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            }
            context.write(wrapOutboundOut(.end(nil)), promise: promise)
            restartTimer(context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            restartTimer(context)
            switch unwrapInboundIn(data) {
            case .head(let response):
                // Interim responses precede the final one (RFC 9110 §15.2).
                guard response.status.code >= 200 else { return }
                answering = (true, response.isKeepAlive)
                var answer = ClientAnswer(status: Int(response.status.code))
                for (name, value) in response.headers { answer.headers[name.lowercased()] = value }
                exchange?.answer.succeed(answer)
            case .body(let bytes): exchange?.body.yield(Data(bytes.readableBytesView))
            case .end: finish(context)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            timer?.cancel()
            broke()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            switch error {
            // The server has closed the connection, possibly without a TLS close_notify, or within a response.
            case is IOError, NIOSSLError.uncleanShutdown, HTTPParserError.invalidEOFState: broke()
            default:
                exchange?.end(error)
                exchange = nil
            }
            context.close(promise: nil)
        }

        private func finish(_ context: ChannelHandlerContext) {
            timer?.cancel()
            // The body ends last, because its reader may send the next request immediately.
            let finished = exchange.take()
            defer { finished?.body.finish() }
            guard answering.isKept else { return context.close(promise: nil) }
            let channel = context.channel
            timer = context.eventLoop.scheduleTask(in: NIOConnections.idleLimit) { channel.close(promise: nil) }
            keep(channel)
        }

        private func broke() {
            if answering.hasBegun {
                exchange?.end(TransportFailure.lost(NIOConnecting.closedEarly))
            } else {
                exchange?.break()
            }
            exchange = nil
        }

        /// Restarts the timeout of the request in progress, if there is one.
        private func restartTimer(_ context: ChannelHandlerContext) {
            timer?.cancel()
            guard let exchange else { return }
            let channel = context.channel
            timer = context.eventLoop.scheduleTask(in: exchange.timeout) {
                exchange.end(TransportFailure.timedOut)
                channel.close(promise: nil)
            }
        }
    }
#endif
