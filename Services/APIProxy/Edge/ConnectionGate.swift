import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// Stands between the HTTP decoder and everything else on a connection.
///
/// It decides on the first head whether the connection becomes a WebSocket, because NIO's typed upgrade handler drops the head of an
/// upgrade that is refused (swift-nio issue 2632); it applies the rules that need the raw head (`Host`) or a clock (slow heads and bodies);
/// and it answers what never becomes a request, such as garbage.
final class ConnectionGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long the peer may go on sending after the last answer, so that it reads the answer and not a reset.
    private static let lingerLimit = TimeAmount.seconds(2)
    /// How many bytes of that are read; with more, the peer is not reading anyway.
    private static let lingerBytes = 4 << 20

    enum Phase {
        /// No head was seen.
        case fresh
        /// progress-host is asked; the request's end may have come.
        case asking(HTTPRequestHead, SocketHandler, ended: Bool)
        case http
        /// Answer this when all earlier answers are written; read nothing more.
        case failing(APIFailure, HTTPRequestHead?)
        /// The last answer is written.
        case lingering
    }

    let door: SocketDoor
    /// Whether a first request may ask for a WebSocket.
    private let admitsSockets: Bool
    private(set) var phase = Phase.fresh
    private(set) var pace: RequestPace
    private var timer: Scheduled<Void>?
    private(set) var outstanding = 0
    var closesAfterAnswer = false
    /// The server stops: the next answer is the last one.
    var isStopping = false
    private var bytesWhileLingering = 0
    private(set) var context: ChannelHandlerContext?
    /// The upgrade that progress-host is asked about.
    private var upgrade: Activity?
    /// The socket that the upgrade hands the connection to.
    private(set) var admitted: SocketHandler?
    /// Fields of the 101.
    private(set) var upgradeFields = HTTPHeaders()

    init(door: SocketDoor, admitsSockets: Bool, now: NIODeadline) {
        self.door = door
        self.admitsSockets = admitsSockets
        pace = RequestPace(connectedAt: now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watchPace()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .asking(let head, let socket, _) = phase {
            socket.abandon()
            if let upgrade { door.tell(of: .upgrade(head), status: nil, channel: context.channel, upgrade) }
            upgrade = nil
        }
        admitted?.abandonUnlessAttached()
        timer?.cancel()
        door.feed.departures.forget(context.channel)
        context.fireChannelInactive()
    }
}

// MARK: Requests

extension ConnectionGate {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        notePace(of: part, context.eventLoop.now)
        switch phase {
        case .failing, .lingering: return
        case .asking(let head, let socket, _):
            if case .end = part { phase = .asking(head, socket, ended: true) }
            return
        case .fresh, .http: break
        }
        guard case .head(let head) = part else { return context.fireChannelRead(data) }
        if let fault = HostRule.fault(of: head) ?? head.targetFault {
            return fail(.malformedHTTP(fault), head, context)
        }
        guard case .fresh = phase, admitsSockets else { return pass(head, context) }
        switch UpgradeDecision(head, origins: door.origins) {
        case .http: pass(head, context)
        case .refuse(let failure): refuse(failure, head, context)
        case .ask where isStopping: refuse(.restarting, head, context)
        case .ask where head.announcesBody: refuse(.malformedHTTP("an upgrade has no body"), head, context)
        case .ask(let request): ask(request, head, context)
        }
    }

    private func pass(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        phase = .http
        outstanding += 1
        closesAfterAnswer = closesAfterAnswer || isStopping || !head.isKeepAlive
        if head.headers[canonicalForm: "Expect"].contains("100-continue") {
            context.writeAndFlush(wrapOutboundOut(.head(.init(version: head.version, status: .continue))), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(.head(head.withoutUpgrade)))
    }

    private func ask(_ request: UpgradeRequest, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        do throws(APIFailure) {
            let socket = try door.enter(request, head: head, channel: context.channel)
            phase = .asking(head, socket, ended: false)
            let activity = Activity(TraceContext(head.headers), jobID: request.socketRequest.jobId.text)
            upgrade = activity
            if let offered = request.subprotocol { upgradeFields.add(name: "Sec-WebSocket-Protocol", value: offered) }
            Activity.$current.withValue(activity) {
                door.ask(request, for: socket, on: context.eventLoop) { [weak self] in self?.answered($0) }
            }
        } catch {
            refuse(error, head, context)
        }
    }

    /// progress-host has decided.
    private func answered(_ outcome: Result<Void, APIFailure>) {
        guard let context, case .asking(let head, let socket, let ended) = phase else { return }
        switch outcome {
        case .failure(let failure):
            socket.abandon()
            refuse(failure, head, context)
        case .success:
            if let upgrade { door.tell(of: .upgrade(head), status: 101, channel: context.channel, upgrade) }
            upgrade = nil
            admitted = socket
            phase = .http
            context.fireChannelRead(wrapInboundOut(.head(head.normalisedForUpgrade)))
            if ended { context.fireChannelRead(wrapInboundOut(.end(nil))) }
            context.fireChannelReadComplete()
        }
    }
}

// MARK: Answers

extension ConnectionGate {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            // A body that the answer did not wait for may never end: nobody reads it only to get at a next request.
            if outstanding <= 1, pace.isInBody { closesAfterAnswer = true }
            if head.headers[canonicalForm: "Connection"].contains("close") {
                closesAfterAnswer = true
            } else if closesAfterAnswer, outstanding <= 1 {
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            outstanding -= 1
            context.write(data, promise: promise)
            answerEnded(context)
        default: context.write(data, promise: promise)
        }
    }

    private func answerEnded(_ context: ChannelHandlerContext) {
        guard outstanding == 0 else { return }
        if case .failing(let failure, let head) = phase {
            answer(failure, .request(head), context)
        } else if closesAfterAnswer {
            linger(context)
        }
    }

    /// Refuses in the place of the router, as soon as all earlier answers are written. `head` as far as there is one.
    func fail(_ failure: APIFailure, _ head: HTTPRequestHead?, _ context: ChannelHandlerContext) {
        phase = .failing(failure, head)
        if outstanding == 0 { answer(failure, .request(head), context) }
    }

    func refuse(_ failure: APIFailure, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        answer(failure, .upgrade(head), context)
    }

    private func answer(_ failure: APIFailure, _ unrouted: Unrouted, _ context: ChannelHandlerContext) {
        let headers = unrouted.head?.headers ?? [:]
        let activity = upgrade ?? Activity(TraceContext(headers))
        upgrade = nil
        let answer = FailureAnswer(
            failure, exchange: Exchange(activity), origin: headers["Origin"].first, origins: door.origins)
        Activity.$current.withValue(activity) { door.note(failure, unrouted, answer) }
        door.tell(of: unrouted, status: answer.status.code, channel: context.channel, activity)
        context.write(wrapOutboundOut(.head(answer.closingHead)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        linger(context)
    }

    /// Ends this direction, and the connection when the peer has had time to read.
    private func linger(_ context: ChannelHandlerContext) {
        phase = .lingering
        context.flush()
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.lingerLimit) { channel.close(promise: nil) }
    }
}

// MARK: Errors and events

extension ConnectionGate {
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch phase {
        case .fresh where error is HTTPParserError, .http where error is HTTPParserError && !pace.isInBody:
            fail(.malformedHTTP("it cannot be parsed"), nil, context)
        case .failing, .lingering: break
        case .fresh, .asking: context.close(promise: nil)
        case .http: context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch (event, phase) {
        case (is ChannelShouldQuiesceEvent, _): stop(context)
        case (ChannelEvent.inputClosed, .http):
            if outstanding > 0 { door.feed.departures.note(context.channel) }
            context.fireUserInboundEventTriggered(event)
        case (ChannelEvent.inputClosed, .fresh), (ChannelEvent.inputClosed, .asking),
            (ChannelEvent.inputClosed, .lingering):
            context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}

// MARK: Pace

extension ConnectionGate {
    /// Bytes have come that the decoder has not seen yet.
    func bytesArrived(_ count: Int) {
        guard let context else { return }
        if case .lingering = phase {
            bytesWhileLingering += count
            if bytesWhileLingering > Self.lingerBytes { context.close(promise: nil) }
            return
        }
        pace.bytesArrived(at: context.eventLoop.now)
        watchPace()
    }

    private func notePace(of part: HTTPServerRequestPart, _ now: NIODeadline) {
        switch part {
        case .head: pace.headArrived(at: now)
        case .body(let bytes): pace.bodyArrived(bytes.readableBytes)
        case .end: pace.endArrived()
        }
    }

    /// One timer that moves with the deadline, since nearly all requests are in time.
    private func watchPace() {
        guard timer == nil, let context, let deadline = pace.deadline else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            self?.timer = nil
            self?.checkPace()
        }
    }

    private func checkPace() {
        guard let context else { return }
        if let late = pace.late(at: context.eventLoop.now) {
            switch late {
            case .head: fail(.late(late.rawValue), nil, context)
            case .body: context.fireErrorCaught(APIFailure.late(late.rawValue))
            }
        }
        watchPace()
    }
}

extension HTTPRequestHead {
    /// Why the request target cannot be routed; nil when it can.
    fileprivate var targetFault: String? {
        uri.isEmpty || method == .CONNECT ? "the request target is not a path" : nil
    }

    /// Whether a body follows (RFC 9112 §6.3).
    fileprivate var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
    }
}
