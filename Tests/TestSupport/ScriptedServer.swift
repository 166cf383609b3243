import Glibc
import NIOConcurrencyHelpers
package import NIOCore
package import NIOHTTP1
import NIOPosix
package import NIOWebSocket

/// An HTTP and WebSocket server on a free loopback port that sends the responses and frames of a test's script. For malformed responses, use
/// ``FaultServer``.
package final class ScriptedServer: Sendable {
    /// A request as received.
    package struct Request: Sendable {
        package var head: HTTPRequestHead
        package var body: ByteBuffer
    }

    /// The reaction to a request.
    package enum Reaction: Sendable {
        /// A response with status, headers and body parts; more than one part makes it chunked.
        case answer(Int, HTTPHeaders, [String])
        /// The connection is closed without a response.
        case drop
        /// The connection is reset.
        case reset
        /// No response.
        case silence
    }

    /// A socket's script: the frames to send on opening, and the frames to send for each message, in order.
    package struct SocketScript: Sendable {
        var greeting: [WebSocketFrame]
        var replies: [[WebSocketFrame]]
        /// Whether the connection is cut after the greeting.
        var cuts: Bool

        package init(greeting: [WebSocketFrame] = [], replies: [[WebSocketFrame]] = [], cuts: Bool = false) {
            self.greeting = greeting
            self.replies = replies
            self.cuts = cuts
        }
    }

    private struct State {
        var requests: [Request] = []
        var messages: [String] = []
        var upgrades: [HTTPRequestHead] = []
        var connections = 0
    }

    /// Messages from clients, as received: texts, "pong frame", "close CODE" ("close -" without a code). The stream can be iterated once.
    package let arrivals: AsyncStream<String>
    private let arrived: AsyncStream<String>.Continuation
    private let state = NIOLockedValueBox(State())
    private let react: @Sendable (Int, Request) -> Reaction
    private let script: @Sendable (Int, HTTPRequestHead) -> SocketScript?
    private let listener = NIOLockedValueBox((any Channel)?.none)

    /// `react` receives each request that is not upgraded, and its number, counted from 0. `script` receives the head of a request and the number,
    /// also counted from 0, that its socket would have; if it returns nil, the request is not upgraded. It is called for every request, and a second
    /// time for each socket.
    package init(
        react: @escaping @Sendable (Int, Request) -> Reaction = { _, _ in .answer(404, [:], []) },
        script: @escaping @Sendable (Int, HTTPRequestHead) -> SocketScript? = { _, _ in nil }
    ) {
        self.react = react
        self.script = script
        (arrivals, arrived) = AsyncStream.makeStream()
    }

    package var requests: [Request] { state.withLockedValue { $0.requests } }
    package var messages: [String] { state.withLockedValue { $0.messages } }
    package var upgrades: [HTTPRequestHead] { state.withLockedValue { $0.upgrades } }
    package var connections: Int { state.withLockedValue { $0.connections } }

    /// Starts listening and returns the port.
    package func start() async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                self.state.withLockedValue { $0.connections += 1 }
                return channel.eventLoop.makeCompletedFuture { try self.addHandlers(to: channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        listener.withLockedValue { $0 = channel }
        return channel.localAddress?.port ?? 0
    }

    package func stop() async { try? await listener.withLockedValue { $0 }?.close() }

    fileprivate func reaction(to request: Request) -> Reaction {
        let number = state.withLockedValue { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
        return react(number, request)
    }

    fileprivate func note(_ message: String) {
        state.withLockedValue { $0.messages.append(message) }
        arrived.yield(message)
    }

    private func addHandlers(to channel: any Channel) throws {
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        let gate = RefusalGate(refuses: { self.script(self.upgrades.count, $0) == nil })
        let upgrade = HTTPServerUpgradeHandler(
            upgraders: [upgrader], httpEncoder: encoder, extraHTTPHandlers: [decoder, gate],
            upgradeCompletionHandler: { _ in })
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([encoder, decoder])
        try pipeline.addHandlers([gate, upgrade])
        try pipeline.addHandler(RequestHandler(self), name: "requests")
    }

    private var upgrader: NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, head in
                let number = self.state.withLockedValue { state in
                    state.upgrades.append(head)
                    return state.upgrades.count - 1
                }
                return channel.eventLoop.makeCompletedFuture {
                    let script = self.script(number, head) ?? SocketScript()
                    try channel.pipeline.syncOperations.addHandler(ScriptedSocket(self, script))
                }.flatMap { channel.pipeline.removeHandler(name: "requests") }
            })
    }
}

/// Removes the upgrade header from requests that are not to be upgraded, because NIO's upgrade handler would discard their head.
private final class RefusalGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let refuses: (HTTPRequestHead) -> Bool

    init(refuses: @escaping (HTTPRequestHead) -> Bool) { self.refuses = refuses }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), refuses(head) else {
            context.fireChannelRead(data)
            return
        }
        head.headers.remove(name: "Upgrade")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

/// Collects requests and carries out the reactions.
private final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: ScriptedServer
    private var request: ScriptedServer.Request?

    init(_ server: ScriptedServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = .init(head: head, body: ByteBuffer())
        case .body(var bytes): request?.body.writeBuffer(&bytes)
        case .end:
            guard let request else { return }
            switch server.reaction(to: request) {
            case .drop: context.close(promise: nil)
            case .reset:
                let options = context.channel as? any SocketOptionProvider
                _ = options?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                context.close(promise: nil)
            case .silence: break
            case .answer(let status, let headers, let parts): answer(status, headers, parts, context)
            }
        }
    }

    private func answer(_ status: Int, _ headers: HTTPHeaders, _ parts: [String], _ context: ChannelHandlerContext) {
        var headers = headers
        if parts.count < 2 { headers.add(name: "Content-Length", value: "\(parts.first?.utf8.count ?? 0)") }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        for part in parts { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: part)))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// The server's end of a socket.
private final class ScriptedSocket: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let server: ScriptedServer
    private var script: ScriptedServer.SocketScript

    init(_ server: ScriptedServer, _ script: ScriptedServer.SocketScript) {
        self.server = server
        self.script = script
    }

    func handlerAdded(context: ChannelHandlerContext) {
        send(script.greeting, context)
        guard script.cuts else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .connectionClose:
            var body = frame.unmaskedData
            server.note("close \(body.readInteger(as: UInt16.self).map(String.init) ?? "-")")
            context.close(promise: nil)
            return
        case .pong: server.note("pong frame")
        default: server.note(String(buffer: frame.unmaskedData))
        }
        if !script.replies.isEmpty { send(script.replies.removeFirst(), context) }
    }

    private func send(_ frames: [WebSocketFrame], _ context: ChannelHandlerContext) {
        for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
        context.flush()
    }
}

extension WebSocketFrame {
    package static func text(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    }

    package static func close(_ code: UInt16, _ reason: String = "") -> WebSocketFrame {
        var body = ByteBuffer()
        body.writeInteger(code)
        body.writeString(reason)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: body)
    }

    package static var ping: WebSocketFrame { WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: "p")) }
}
