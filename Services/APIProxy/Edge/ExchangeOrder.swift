import NIOCore
import NIOHTTP1

/// The order of a connection's requests and responses: how many responses are owed, and which one is the last. It does not access the channel.
struct ExchangeOrder {
    enum Phase {
        /// Requests go to the router or to a ``LoopHandler``.
        case open
        /// A WebSocket request is waiting until the responses to earlier requests are written.
        case waiting(HTTPRequestHead, UpgradeTarget)
        /// The admission of a WebSocket is being decided, by progress-host if the socket is for one job.
        case asking(Upgrade)
        /// The socket is admitted: the task that answers requests ends, and the 101 response follows.
        case upgrading(Upgrade)
        /// This failure will be sent once all earlier responses are written; nothing more is read.
        case failing(APIFailure, Unrouted)
        /// The last response has been written, but the kernel has not accepted all of it.
        case finishing
        /// The kernel has accepted the last response, and the client has time to read it.
        case lingering
    }

    /// The connection's next action.
    enum Step {
        case nothing
        case ask(HTTPRequestHead, UpgradeTarget)
        case answer(APIFailure, Unrouted)
        /// The connection ends once its client has had time to read the last response.
        case linger
    }

    private enum Reading {
        case requests
        /// The request that is being read is the last one.
        case lastRequest
        case nothing
    }

    var phase = Phase.open
    /// Number of requests that were passed to the router or to a ``LoopHandler`` and have not been answered.
    private(set) var answersOwed = 0
    /// Whether any request was passed to the router or to a ``LoopHandler``.
    private(set) var wasUsed = false
    /// Whether the server is stopping (``StopDecision``).
    var isStopping = false
    var closesAfterAnswer = false
    private var reading = Reading.requests
    private var writesLastAnswer = false

    /// Whether further parts of requests are accepted.
    var takesRequests: Bool {
        if case .open = phase { reading != .nothing } else { false }
    }

    /// Whether the last response has been written.
    var isOver: Bool {
        switch phase {
        case .finishing, .lingering: true
        case .open, .waiting, .asking, .upgrading, .failing: false
        }
    }

    /// Records a request that will be answered. If `isLast`, no request is read after it (RFC 9112 §9.6).
    mutating func pass(isLast: Bool) {
        answersOwed += 1
        wasUsed = true
        closesAfterAnswer = closesAfterAnswer || isLast || isStopping
        if isLast { reading = .lastRequest }
    }

    /// Records the end of a request; returns true if it was the last one.
    mutating func requestEnded() -> Bool {
        guard reading == .lastRequest else { return false }
        reading = .nothing
        return true
    }

    /// Records a WebSocket request. Whether it is admitted is decided once no other response is owed.
    mutating func wait(_ head: HTTPRequestHead, _ target: UpgradeTarget) -> Step {
        phase = .waiting(head, target)
        return next()
    }

    /// Records a refusal that is not from the router.
    mutating func fail(_ failure: APIFailure, _ unrouted: Unrouted) -> Step {
        phase = .failing(failure, unrouted)
        return next()
    }

    /// Records the start of a response; returns true if it is the last one.
    ///
    /// - Parameters:
    ///   - saysClose: Whether the response has `Connection: close`.
    ///   - isInBody: Whether a request is still being read.
    mutating func answerBegins(saysClose: Bool, isInBody: Bool) -> Bool {
        // The response did not wait for the body, which may never end. Close the connection rather than read on to the next request.
        if answersOwed <= 1, isInBody { closesAfterAnswer = true }
        let isLast = if case .open = phase { closesAfterAnswer && answersOwed <= 1 } else { false }
        writesLastAnswer = saysClose || isLast
        return writesLastAnswer
    }

    mutating func answerEnded() -> Step {
        if isOver { return .nothing }
        answersOwed -= 1
        return writesLastAnswer ? .linger : next()
    }

    private func next() -> Step {
        guard answersOwed == 0 else { return .nothing }
        return switch phase {
        case .waiting(let head, _) where isStopping: .answer(.restarting, .upgrade(head))
        case .waiting(let head, let target): .ask(head, target)
        case .failing(let failure, let unrouted): .answer(failure, unrouted)
        default: .nothing
        }
    }
}

/// A request that `HTTPConnection` answers instead of the router.
enum Unrouted {
    /// A WebSocket request.
    case upgrade(HTTPRequestHead)
    /// Any other request, for example one that violates HTTP or arrived too slowly; nil if its head was not read.
    case request(HTTPRequestHead?)

    var head: HTTPRequestHead? {
        switch self {
        case .upgrade(let head): head
        case .request(let head): head
        }
    }

    /// The method as shown in the log and by the tail.
    var method: String { head?.method.rawValue ?? "-" }

    /// Path and query, as shown by the tail; the log contains only the path.
    var target: String { head?.uri ?? "-" }
}

/// How an HTTP connection ends when the server stops. The last response contains `Connection: close`, unless its head was already sent.
enum StopDecision: Equatable {
    /// Responses are owed: the connection ends after the last of them.
    case answer
    /// A request may be on its way, sent by a client that does not expect the connection to close. Wait up to ``PeerTimeouts/lastRequest`` for the
    /// request.
    case awaitRequest
    /// All responses are written, and the client must expect that an idle connection may end (RFC 9112 §9.3.1, §9.5).
    case close

    /// - Parameters:
    ///   - answersOwed: Number of requests whose heads have arrived and that have not been answered.
    ///   - wasUsed: Whether the connection has carried a request.
    ///   - hasBytes: Whether bytes of another request have arrived, read or not.
    init(answersOwed: Int, wasUsed: Bool, hasBytes: Bool) {
        self = answersOwed > 0 ? .answer : !wasUsed || hasBytes ? .awaitRequest : .close
    }
}

extension HTTPConnection {
    /// Called when the server stops: every request that has arrived is still answered, and the connection ends after the last response.
    func stop(_ context: ChannelHandlerContext) {
        guard !exchanges.isStopping else { return }
        exchanges.isStopping = true
        switch exchanges.phase {
        case .open:
            decide(context)
            loop?.exchange.serverStops()
        case .asking(let upgrade):
            upgrade.socket.abandon()
            refuse(upgrade, .restarting, context)
        // The socket is not in the pipeline yet, so it would miss `ChannelShouldQuiesceEvent`.
        case .upgrading(let upgrade): upgrade.socket.owner?.closeForRestart()
        case .waiting, .failing, .finishing, .lingering: break
        }
    }

    /// Ends the connection of a stopping server after a response whose head was sent before the stop, so it could not announce the end.
    func endIfStopping(_ context: ChannelHandlerContext) {
        guard exchanges.isStopping, exchanges.answersOwed == 0, case .open = exchanges.phase else { return }
        switch stopDecision(context) {
        case .answer: break
        case .awaitRequest: awaitRequest(context)
        case .close: linger(context)
        }
    }

    private func stopDecision(_ context: ChannelHandlerContext) -> StopDecision {
        let hasBytes = timeouts.headHasBegun || context.channel.hasUnread
        return StopDecision(answersOwed: exchanges.answersOwed, wasUsed: exchanges.wasUsed, hasBytes: hasBytes)
    }

    private func decide(_ context: ChannelHandlerContext) {
        switch stopDecision(context) {
        case .answer: exchanges.closesAfterAnswer = true
        case .awaitRequest: awaitRequest(context)
        case .close: finish()
        }
    }

    private func awaitRequest(_ context: ChannelHandlerContext) {
        let limit = rules.watchers.hub.timeouts.lastRequest
        context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in self?.timedOut() }
    }

    private func timedOut() {
        guard let context, case .open = exchanges.phase, exchanges.answersOwed == 0 else { return }
        if timeouts.headHasBegun {
            fail(.restarting, .request(nil), context)
        } else {
            finish()
        }
    }
}
