import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability

/// What answers the requests that a gate lets through.
protocol RequestServing {
    /// Adds its handlers to the channel, behind the gate. Returns those that a WebSocket does not need.
    func start(on channel: any Channel) throws -> [any RemovableChannelHandler]
    /// No request will come any more, where none has come.
    func skip()
}

/// Stands between the HTTP decoder and everything else on a connection.
///
/// It decides which request becomes a WebSocket; it applies the rules that need the raw head (`Host`) or a clock (slow heads and bodies); and
/// it answers what never becomes a request, such as garbage.
final class ConnectionGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long the peer may go on sending after the last answer, so that it reads the answer and not a reset.
    private static let lingerLimit = TimeAmount.seconds(2)

    let door: SocketDoor
    /// Whether requests may ask for a WebSocket.
    private let admitsSockets: Bool
    let serving: any RequestServing
    let input = RequestInput()
    let encoder = HTTPResponseEncoder()
    var state = ConnectionState()
    private(set) var pace: RequestPace
    /// Whether the decoder stops behind the request that is being read.
    private var isInOffer = false
    private var timer: Scheduled<Void>?
    private(set) var context: ChannelHandlerContext?
    /// Handlers of ``serving`` that a WebSocket does not need; nil before the first request.
    var servingHandlers: [any RemovableChannelHandler]?

    init(door: SocketDoor, admitsSockets: Bool, serving: any RequestServing, now: NIODeadline) {
        self.door = door
        self.admitsSockets = admitsSockets
        self.serving = serving
        pace = RequestPace(connectedAt: now)
    }

    /// Adds the gate and what it needs to a channel that has no handlers yet.
    func install(in pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHandlers(encoder, input, self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        input.gate = self
        watchPace()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        if servingHandlers == nil { serving.skip() }
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch state.phase {
        case .asking(let upgrade):
            upgrade.socket.abandon()
            door.tell(of: .upgrade(upgrade.head), status: nil, channel: context.channel, upgrade.activity)
        case .upgrading(let upgrade): upgrade.socket.abandon()
        case .open, .waiting, .failing, .lingering: break
        }
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
        guard state.takesRequests else { return }
        switch part {
        case .head(let head): take(head, context)
        case .body: context.fireChannelRead(data)
        case .end:
            context.fireChannelRead(data)
            endRequest()
        }
    }

    private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if let fault = HostRule.fault(of: head) ?? head.targetFault {
            return fail(.malformedHTTP(fault), .request(head), context)
        }
        switch admitsSockets ? UpgradeDecision(head) : .http {
        case .http: pass(head, context)
        case .refuse(let failure): fail(failure, .upgrade(head), context)
        case .ask where head.announcesBody:
            fail(.malformedHTTP("an upgrade request must not have a body"), .upgrade(head), context)
        case .ask(let request):
            input.hold()
            perform(state.wait(head, request), context)
        }
    }

    private func pass(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        do {
            if servingHandlers == nil { servingHandlers = try serving.start(on: context.channel) }
        } catch {
            return context.close(promise: nil)
        }
        let offer = head.upgradeOffer
        isInOffer = offer == .endsDecoding
        state.pass(isLast: !head.isKeepAlive || offer == .unclear)
        if state.answersOwed == 1, head.headers[canonicalForm: "Expect"].contains("100-continue") {
            context.writeAndFlush(wrapOutboundOut(.head(.init(version: head.version, status: .continue))), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func endRequest() {
        if isInOffer { input.offerEnded() }
        if state.requestEnded() { input.discard() }
    }

    /// Refuses in the place of the router, as soon as all earlier answers are written.
    func fail(_ failure: APIFailure, _ unrouted: Unrouted, _ context: ChannelHandlerContext) {
        input.hold()
        perform(state.fail(failure, unrouted), context)
    }

    private func perform(_ step: ConnectionState.Step, _ context: ChannelHandlerContext) {
        switch step {
        case .nothing: break
        case .ask(let head, let request): ask(request, head, context)
        case .answer(let failure, let unrouted): answer(failure, unrouted, context)
        case .linger: linger(context)
        }
    }
}

// MARK: Answers

extension ConnectionGate {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .lingering = state.phase {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            let saysClose = head.headers[canonicalForm: "Connection"].contains("close")
            if state.answerBegins(saysClose: saysClose, isInBody: pace.isInBody), !saysClose {
                head.headers.add(name: "Connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(data, promise: promise)
            perform(state.answerEnded(), context)
        default: context.write(data, promise: promise)
        }
    }

    /// Writes the last answer of the connection. `activity` is that of the request, as far as there is one already.
    func answer(
        _ failure: APIFailure, _ unrouted: Unrouted, _ context: ChannelHandlerContext, activity: Activity? = nil
    ) {
        let headers = unrouted.head?.headers ?? [:]
        let activity = activity ?? Activity(TraceContext(headers))
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
        state.phase = .lingering
        input.discard()
        context.flush()
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.lingerLimit) { channel.close(promise: nil) }
    }
}

// MARK: Errors and events

extension ConnectionGate {
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch state.phase {
        case .open where error is HTTPParserError && !pace.isInBody:
            fail(.malformedHTTP("it cannot be parsed"), .request(nil), context)
        case .open where state.wasUsed, .waiting: context.fireErrorCaught(error)
        case .open, .asking, .upgrading: context.close(promise: nil)
        case .failing, .lingering: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: stop(context)
        case ChannelEvent.inputClosed: inputClosed(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The client sends nothing more: nothing becomes a WebSocket any more, and who is not owed an answer has left.
    private func inputClosed(_ context: ChannelHandlerContext) {
        switch state.phase {
        case .open where !state.wasUsed, .asking, .upgrading, .lingering: return context.close(promise: nil)
        case .waiting:
            state.phase = .open
            state.closesAfterAnswer = true
            input.discard()
        case .open, .failing: break
        }
        if state.answersOwed > 0 { door.feed.departures.note(context.channel) }
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
}

// MARK: Pace

extension ConnectionGate {
    /// Bytes have come that the decoder has not seen yet.
    func bytesArrived() {
        guard let context else { return }
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
        if let late = pace.late(at: context.eventLoop.now), case .open = state.phase {
            switch late {
            case .head: fail(.late(late.rawValue), .request(nil), context)
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
