import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability

/// Responds to the requests that an ``HTTPConnection`` passes to the router.
protocol RequestServing {
    /// Adds its handlers to the channel, after the connection's. Returns those that a WebSocket does not need.
    func start(on channel: any Channel) throws -> [any RemovableChannelHandler]
}

/// One connection that speaks HTTP: the channel handler between the decoder (``RequestInput``) and everything else.
///
/// It decides which requests become WebSockets and which ones a ``LoopHandler`` answers, applies the rules that need the raw head (`Host`)
/// or a clock (slow heads and bodies), and responds to input that cannot be parsed as a request.
final class HTTPConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// After the last response, the connection closes once the client has been silent for this long or, if the server is stopping, after this time.
    /// Closing earlier could reset the connection before the client has read the response.
    private static let lingerPause = TimeAmount.seconds(2)
    /// Maximum time during which the client may continue to send after the last response.
    private static let lingerLimit = TimeAmount.seconds(30)

    let rules: EdgeRules
    /// Whether requests may open a WebSocket.
    private let admitsSockets: Bool
    private let serving: any RequestServing
    /// The listener's open connections, including this one.
    let open: OpenConnections
    let input = RequestInput()
    var exchanges = ExchangeOrder()
    var timeouts: RequestTimeouts
    /// The request that is being answered on the event loop, and the parts that arrived after it; nil if there is none.
    var loop: LoopTurn?
    /// Whether the kept parts of later requests (``LoopTurn/later``) are being processed.
    var isResuming = false
    private(set) var inputIsClosed = false
    /// Number of bytes of responses, except those of the router, that were written since the channel was last writable (``maxUnreadBytes``).
    private(set) var unreadBytes = 0
    var unreadTimeout = UnreadTimeout()
    /// Whether the client will send the body of the newest request only after a `100 Continue`.
    private var awaitsContinue = false
    /// Whether the decoder will stop after the request that is being read, because that request offers an upgrade.
    private var isInOffer = false
    /// Watches ``timeouts`` (``watchTimeouts()``); nil while nothing is watched.
    var timer: (task: Scheduled<Void>, deadline: NIODeadline)?
    private(set) var context: ChannelHandlerContext?
    /// The handlers that the router needs and a WebSocket does not; nil before the first request for the router.
    var servingHandlers: [any RemovableChannelHandler]?

    init(
        rules: EdgeRules, admitsSockets: Bool, serving: any RequestServing, open: OpenConnections, now: NIODeadline
    ) {
        self.rules = rules
        self.admitsSockets = admitsSockets
        self.serving = serving
        self.open = open
        timeouts = RequestTimeouts(connectedAt: now)
    }

    /// Adds this handler and its decoder to a channel without handlers.
    func install(in pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHandlers(input, self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        input.connection = self
        watchTimeouts()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        open.serve(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch exchanges.phase {
        case .asking(let upgrade):
            upgrade.socket.abandon()
            rules.publish(.upgrade(upgrade.head), status: nil, channel: context.channel, upgrade.activity)
        case .upgrading(let upgrade): upgrade.socket.abandon()
        case .open, .waiting, .failing, .finishing, .lingering: break
        }
        timer?.task.cancel()
        endLoop()
        rules.feed.aborted.forget(context.channel)
        context.fireChannelInactive()
    }
}

// MARK: Requests

extension HTTPConnection {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if loop?.keep(part) != true { take(part, context) }
    }

    func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        noteProgress(of: part, context.eventLoop.now)
        guard exchanges.takesRequests else { return }
        switch part {
        case .head(let head): take(head, context)
        case .body(let bytes):
            awaitsContinue = false
            if loop == nil { context.fireChannelRead(wrapInboundOut(part)) } else { takeBody(bytes) }
        case .end:
            awaitsContinue = false
            if loop == nil { context.fireChannelRead(wrapInboundOut(part)) }
            endRequest()
            loopRequestEnded()
        }
    }

    private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if let fault = HostRule.fault(of: head) ?? head.targetFault {
            return fail(.malformedHTTP(fault), .request(head), context)
        }
        // A WebSocket would close as soon as it opened for a client that no longer sends; the router answers 426 instead.
        switch admitsSockets && !inputIsClosed ? UpgradeDecision(head) : .http {
        case .http: pass(head, context)
        case .refuse(let failure): fail(failure, .upgrade(head), context)
        case .ask where head.announcesBody:
            fail(.malformedHTTP("an upgrade request must not have a body"), .upgrade(head), context)
        case .ask(let target):
            input.hold()
            perform(exchanges.wait(head, target), context)
        }
    }

    private func pass(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let exchange = loopExchange(for: head, context)
        do {
            if exchange == nil, servingHandlers == nil { servingHandlers = try startServing(context) }
        } catch {
            return context.close(promise: nil)
        }
        let offer = head.upgradeOffer
        isInOffer = offer == .endsDecoding
        exchanges.pass(isLast: head.endsConnection || offer == .unclear)
        awaitsContinue = head.expectsContinue
        if let exchange {
            begin(exchange, hasBody: head.announcesBody)
        } else {
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        sendContinue()
        promise?.succeed()
    }

    /// Sends `100 Continue` if the client is waiting for it and no earlier response is still owed; otherwise does nothing.
    func sendContinue() {
        guard awaitsContinue, exchanges.answersOwed == 1 else { return }
        awaitsContinue = false
        write(ResponseHead.bytes(.continue, [:]))
    }

    /// Adds the router's handlers, and NIO's encoder, which only the router's responses need. Returns those that a WebSocket does not need.
    private func startServing(_ context: ChannelHandlerContext) throws -> [any RemovableChannelHandler] {
        var configuration = HTTPResponseEncoder.Configuration()
        // Otherwise, the encoder would add an empty chunk to each response to HEAD without a `Content-Length`. `HTTPAnswering` sets the
        // framing fields.
        configuration.automaticallySetFramingHeaders = false
        let encoder = HTTPResponseEncoder(configuration: configuration)
        try context.pipeline.syncOperations.addHandler(encoder, position: .before(self))
        return [encoder] + (try serving.start(on: context.channel))
    }

    private func endRequest() {
        if isInOffer { input.offerEnded() }
        if exchanges.requestEnded() { input.discard() }
    }

    /// Refuses a request instead of passing it to the router. The refusal is sent once all earlier responses are written.
    func fail(_ failure: APIFailure, _ unrouted: Unrouted, _ context: ChannelHandlerContext) {
        input.hold()
        perform(exchanges.fail(failure, unrouted), context)
    }

    private func perform(_ step: ExchangeOrder.Step, _ context: ChannelHandlerContext) {
        switch step {
        case .nothing: break
        case .ask(let head, let target): ask(target, head, context)
        case .answer(let failure, let unrouted): answer(failure, unrouted, context)
        case .linger: linger(context)
        }
    }
}

// MARK: Responses

extension HTTPConnection {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !exchanges.isOver else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            if exchanges.answersOwed <= 1 { awaitsContinue = false }
            let saysClose = head.headers[canonicalForm: "Connection"].contains("close")
            if exchanges.answerBegins(saysClose: saysClose, isInBody: timeouts.isInBody), !saysClose {
                head.headers.add(name: "Connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(data, promise: promise)
            answerEnded(context)
            endIfStopping(context)
        default: context.write(data, promise: promise)
        }
    }

    /// Called when the router or a ``LoopHandler`` has written a response.
    func answerEnded(_ context: ChannelHandlerContext) {
        timeouts.answered(at: context.eventLoop.now)
        perform(exchanges.answerEnded(), context)
        startLoop()
    }

    /// Writes bytes of a response that is not from the router.
    func write(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>? = nil, flushes: Bool = true) {
        if context?.channel.isWritable == false { unreadBytes += bytes.readableBytes }
        input.write(bytes, promise: promise, flushes: flushes)
    }

    /// Writes the last response on the connection. `activity` is that of the request; nil if it has none yet.
    func answer(
        _ failure: APIFailure, _ unrouted: Unrouted, _ context: ChannelHandlerContext, activity: Activity? = nil
    ) {
        let headers = unrouted.head?.headers ?? [:]
        let activity = activity ?? Activity(TraceContext(headers))
        var failure = failure
        failure.closesConnection = true
        let answer = FailureAnswer(
            failure, exchange: Exchange(activity), origin: headers["Origin"].first,
            origins: rules.originRule.listed)
        Activity.$current.withValue(activity) { rules.noteRefusal(of: unrouted, failure, answer) }
        rules.publish(unrouted, status: answer.status.code, channel: context.channel, activity)
        write(answer.bytes(date: rules.date.now, isHead: unrouted.head?.method == .HEAD))
        linger(context)
    }

    /// Closes the sending side once the kernel has accepted all responses, and the connection once the client has had time to read the last one.
    func linger(_ context: ChannelHandlerContext) {
        whenTaken { [self] context in
            exchanges.phase = .lingering
            context.close(mode: .output, promise: nil)
            linger(until: context.eventLoop.now + Self.lingerLimit)
        }
    }

    /// Closes the connection once the kernel has accepted all responses.
    func finish() {
        whenTaken { $0.close(promise: nil) }
    }

    /// Calls `then` once the kernel has accepted everything that was written; closing the channel earlier would drop the rest. Nothing is written or
    /// answered after this call.
    private func whenTaken(_ then: @escaping (ChannelHandlerContext) -> Void) {
        guard let context else { return }
        exchanges.phase = .finishing
        input.discard()
        let taken = context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolated().whenSuccess { [self] in self.context.map(then) }
        input.write(ByteBuffer(), promise: taken, flushes: true)
    }

    private func linger(until end: NIODeadline) {
        let before = input.discarded
        context?.eventLoop.assumeIsolated().scheduleTask(in: Self.lingerPause) { [self] in
            guard let context else { return }
            let goesOn = input.discarded > before && context.eventLoop.now < end && !exchanges.isStopping
            if goesOn { linger(until: end) } else { context.close(promise: nil) }
        }
    }
}

// MARK: Errors and events

extension HTTPConnection {
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch exchanges.phase {
        case .open where error is HTTPParserError && !timeouts.isInBody:
            fail(.malformedHTTP("it cannot be parsed"), .request(nil), context)
        case .open where loop?.isInBody == true:
            if let failure = APIFailure(answering: error) { refuseBody(failure) } else { context.close(promise: nil) }
        case .open where servingHandlers != nil, .waiting where servingHandlers != nil: context.fireErrorCaught(error)
        case .open, .waiting, .asking, .upgrading: context.close(promise: nil)
        case .failing, .finishing, .lingering: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: stop(context)
        case ChannelEvent.inputClosed: inputClosed(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unreadBytes = 0
            unreadTimeout.clientReads()
            timeouts.answered(at: context.eventLoop.now)
            loop?.exchange.clientReads()
        }
        context.fireChannelWritabilityChanged()
    }

    /// Called when the client has closed its sending side. From then on, no request can become a WebSocket. The connection closes if no response is
    /// owed or a WebSocket is being admitted; otherwise, it is added to ``AbortedConnections``.
    private func inputClosed(_ context: ChannelHandlerContext) {
        switch exchanges.phase {
        case .open where !exchanges.wasUsed, .asking, .upgrading, .lingering: return context.close(promise: nil)
        case .finishing: return
        case .waiting:
            exchanges.phase = .open
            exchanges.closesAfterAnswer = true
            input.discard()
        case .open, .failing: break
        }
        if exchanges.answersOwed > 0 { rules.feed.aborted.note(context.channel) }
        inputIsClosed = true
        loop?.exchange.inputClosed()
        notifyInputClosed(context)
    }

    /// Does nothing while the client may still send, or while a request is being decoded or answered on the event loop. Otherwise, passes the end of
    /// input to the router's handlers; without these, closes the connection if no response is owed.
    func notifyInputClosed(_ context: ChannelHandlerContext) {
        guard inputIsClosed, loop == nil, !input.isDecoding else { return }
        if servingHandlers != nil {
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else if exchanges.answersOwed == 0 {
            finish()
        }
    }
}

/// The event by which a route announces to the connection that it is about to read the request's body.
struct BodyWanted {}

extension HTTPRequestHead {
    /// Whether the client sends the body only after a `100 Continue` (RFC 9110 §10.1.1; ignored in HTTP/1.0).
    fileprivate var expectsContinue: Bool {
        version != .http1_0 && headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
    }

    /// Whether the connection ends after this request (RFC 9112 §9.3). It always does for HTTP/1.0: a client that asks for a persistent connection,
    /// such as `ab -k`, would otherwise wait for its end, because responses never contain `Connection: keep-alive`.
    fileprivate var endsConnection: Bool { version != .http1_1 || !isKeepAlive }

    /// Why the request target cannot be routed; nil if it can.
    fileprivate var targetFault: String? {
        uri.isEmpty || method == .CONNECT ? "the request target is not a path" : nil
    }

    /// Whether a body follows (RFC 9112 §6.3).
    var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
    }
}
