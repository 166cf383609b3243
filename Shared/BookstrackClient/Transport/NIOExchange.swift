#if NIOTransport && canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL

    /// A request and its answer by SwiftNIO on a connection of their own, for Linux: its `URLSession` ends the process when a connection breaks in
    /// the head of an answer.
    enum NIOExchange {
        /// Sends a request and returns with the head of the answer.
        static func start(_ request: URLRequest) async throws(TransportFailure) -> ClientStream {
            try await NIOConnecting.translate {
                let (body, source) = AsyncThrowingStream<Data, any Error>.makeStream()
                let place = try NIOConnecting(request)
                let head = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: ClientAnswer.self)
                let exchange = try requestParts(request, place)
                do {
                    let channel = try await place.connect(on: head.futureResult.eventLoop) { channel in
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(
                            ExchangeHandler(exchange, timeout: place.timeout, head: head, body: source))
                    }
                    source.onTermination = { _ in channel.close(promise: nil) }
                    let answer = try await withTaskCancellationHandler {
                        try await head.futureResult.get()
                    } onCancel: {
                        channel.close(promise: nil)
                    }
                    return ClientStream(head: answer, body: body)
                } catch {
                    head.fail(error)
                    throw error
                }
            }
        }

        private static func requestParts(_ request: URLRequest, _ place: NIOConnecting) throws
            -> ExchangeHandler.Request
        {
            var headers = HTTPHeaders([("Host", place.hostField), ("Connection", "close")])
            for (name, value) in request.allHTTPHeaderFields ?? [:] { headers.add(name: name, value: value) }
            let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
            if let body = request.httpBody {
                headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
            } else if method == .POST {
                headers.replaceOrAdd(name: "Content-Length", value: "0")
            }
            return ExchangeHandler.Request(
                head: HTTPRequestHead(version: .http1_1, method: method, uri: place.target, headers: headers),
                body: request.httpBody.map { ByteBuffer(bytes: $0) })
        }
    }

    /// Where a request goes, and how a connection to it is made.
    struct NIOConnecting {
        let host: String
        /// Path and query.
        let target: String
        /// `Host` (RFC 9112 §3.2).
        let hostField: String
        /// How long the server may be silent.
        let timeout: TimeAmount

        private let port: Int
        private let tls: NIOSSLContext?

        init(_ request: URLRequest) throws {
            guard let url = request.url, let host = url.host(percentEncoded: false) else {
                throw TransportFailure.unreachable("no host")
            }
            let isSecure = url.scheme == "wss" || url.scheme == "https"
            self.host = host
            port = url.port ?? (isSecure ? 443 : 80)
            let name = host.contains(":") ? "[\(host)]" : host
            hostField = url.port.map { "\(name):\($0)" } ?? name
            let path = url.path(percentEncoded: true)
            target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
            tls = isSecure ? try NIOSSLContext(configuration: .makeClientConfiguration()) : nil
            timeout = .nanoseconds(Int64(request.timeoutInterval * 1e9))
        }

        /// Connects; `prepare` adds the handlers behind those of TLS.
        func connect(on loop: any EventLoop, _ prepare: @escaping @Sendable (any Channel) throws -> Void) async throws
            -> any Channel
        {
            try await ClientBootstrap(group: loop)
                .connectTimeout(.seconds(10))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls { try channel.pipeline.syncOperations.addHandler(try tlsHandler(tls)) }
                        try prepare(channel)
                    }
                }
                .connect(host: host, port: port).get()
        }

        /// SNI names no addresses (RFC 6066 §3).
        private func tlsHandler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
        }

        /// Runs `body` and says what its errors mean.
        static func translate<Value>(_ body: () async throws -> Value) async throws(TransportFailure) -> Value {
            do {
                return try await body()
            } catch let failure as TransportFailure {
                throw Task.isCancelled ? .cancelled : failure
            } catch is CancellationError {
                throw .cancelled
            } catch let error as NIOConnectionError {
                let reason = error.connectionErrors.last.map { "\($0.error)" }
                throw .unreachable(reason ?? "the name \(error.host) is unknown")
            } catch ChannelError.connectTimeout {
                throw .timedOut
            } catch let error as NIOSSLError {
                throw .unreachable("TLS: \(error)")
            } catch {
                throw Task.isCancelled ? .cancelled : .lost("\(error)")
            }
        }
    }

    /// Sends one request and hands its answer over as it arrives.
    private final class ExchangeHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundOut = HTTPClientRequestPart

        struct Request: Sendable {
            let head: HTTPRequestHead
            let body: ByteBuffer?
        }

        private let request: Request
        private let timeout: TimeAmount
        private let head: EventLoopPromise<ClientAnswer>
        private let body: AsyncThrowingStream<Data, any Error>.Continuation
        private var timer: Scheduled<Void>?

        init(
            _ request: Request, timeout: TimeAmount, head: EventLoopPromise<ClientAnswer>,
            body: AsyncThrowingStream<Data, any Error>.Continuation
        ) {
            self.request = request
            self.timeout = timeout
            self.head = head
            self.body = body
        }

        func channelActive(context: ChannelHandlerContext) {
            context.write(wrapOutboundOut(.head(request.head)), promise: nil)
            if let body = request.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            restartTimer(context)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            restartTimer(context)
            switch unwrapInboundIn(data) {
            case .head(let response):
                // Interim answers precede the one that counts (RFC 9110 §15.2).
                guard response.status.code >= 200 else { return }
                var answer = ClientAnswer(status: Int(response.status.code))
                for (name, value) in response.headers { answer.headers[name.lowercased()] = value }
                head.succeed(answer)
            case .body(let bytes): body.yield(Data(bytes.readableBytesView))
            case .end:
                body.finish()
                context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            timer?.cancel()
            end(.lost("the connection broke"))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            end(error is NIOSSLError ? .unreachable("TLS: \(error)") : .lost("\(error)"))
            context.close(promise: nil)
        }

        /// The server has this long until its next sign of life.
        private func restartTimer(_ context: ChannelHandlerContext) {
            timer?.cancel()
            let (channel, head, body) = (context.channel, head, body)
            timer = context.eventLoop.scheduleTask(in: timeout) {
                head.fail(TransportFailure.timedOut)
                body.finish(throwing: TransportFailure.timedOut)
                channel.close(promise: nil)
            }
        }

        private func end(_ failure: TransportFailure) {
            head.fail(failure)
            body.finish(throwing: failure)
        }
    }
#endif
