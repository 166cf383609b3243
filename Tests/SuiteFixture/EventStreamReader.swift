package import NIOCore
package import NIOHTTP1
import NIOPosix
package import WireClient

/// A connection that reads one event stream (HTML standard §9.2.6).
package final class EventStreamReader: ChannelInboundHandler {
    package typealias InboundIn = HTTPClientResponsePart
    package typealias OutboundOut = HTTPClientRequestPart

    /// An event as sent on the stream.
    package struct Event: Sendable {
        package var type = "message"
        package var id: String?
        package var data = ByteBuffer()
    }

    /// A step of a stream: it is opened, refused or unanswered, delivers events, and ends or is lost.
    package enum Step: Sendable {
        case opened
        /// The connection ended before the response.
        case unanswered
        /// The response has a status other than 200.
        case refused(status: UInt)
        case event(Event)
        /// The body ended; `retry` is the announced reconnection time in milliseconds, if any.
        case ended(retry: Int?)
        /// The connection ended before the body did.
        case lost
    }

    private let head: HTTPRequestHead
    private let take: @Sendable (any Channel, Step) -> Void
    private var isOpen = false
    private var isAnswered = false
    private var unread = ByteBuffer()
    private var event = Event()
    private var retry: Int?

    private init(_ head: HTTPRequestHead, _ take: @escaping @Sendable (any Channel, Step) -> Void) {
        self.head = head
        self.take = take
    }

    /// Connects; `take` is called on the connection's event loop.
    ///
    /// - Parameter last: The number of the last event that the client has.
    package static func connect(
        to address: ServerAddress, path: String, after last: Int? = nil, traffic: TrafficCounter? = nil,
        _ take: @escaping @Sendable (any Channel, Step) -> Void
    ) -> EventLoopFuture<any Channel> {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
        head.headers.add(name: "Host", value: address.hostHeader)
        if let last { head.headers.add(name: "Last-Event-ID", value: "\(last)") }
        let request = head
        traffic?.add(requests: 1)
        return ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(20))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let traffic { try pipeline.addHandler(TrafficHandler(traffic)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(EventStreamReader(request, take))
                }
            }
            .connect(host: address.host, port: address.port)
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isAnswered = true
            isOpen = head.status == .ok
            take(context.channel, isOpen ? .opened : .refused(status: head.status.code))
            if !isOpen { context.close(promise: nil) }
        case .body(var bytes):
            unread.writeBuffer(&bytes)
            while let line = nextLine() { read(line, context.channel) }
            unread.discardReadBytes()
        case .end:
            guard isOpen else { return }
            isOpen = false
            take(context.channel, .ended(retry: retry))
            context.close(promise: nil)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if isOpen { take(context.channel, .lost) } else if !isAnswered { take(context.channel, .unanswered) }
        isOpen = false
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// The next complete line, which the service ends with a line feed alone.
    private func nextLine() -> ByteBuffer? {
        let view = unread.readableBytesView
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { unread.moveReaderIndex(forwardBy: 1) }
        return unread.readSlice(length: view.distance(from: view.startIndex, to: end))
    }

    private func read(_ line: ByteBuffer, _ channel: any Channel) {
        var line = line
        guard line.readableBytes > 0 else {
            if event.data.readableBytes > 0 { take(channel, .event(event)) }
            event = Event()
            return
        }
        guard let colon = line.readableBytesView.firstIndex(of: UInt8(ascii: ":")),
            let name = line.readString(length: colon - line.readerIndex)
        else { return }
        line.moveReaderIndex(forwardBy: 1)
        if line.readableBytesView.first == UInt8(ascii: " ") { line.moveReaderIndex(forwardBy: 1) }
        switch name {
        case "data": event.data = line
        case "event": event.type = String(buffer: line)
        case "id": event.id = String(buffer: line)
        case "retry": retry = Int(String(buffer: line))
        default: break
        }
    }
}
