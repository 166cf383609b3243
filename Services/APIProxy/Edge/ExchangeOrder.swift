import NIOCore
import NIOHTTP1

/// The order of a connection's requests and answers: which request waits for which answer, and which answer is the last. It does not know the
/// channel.
struct ExchangeOrder {
    enum Phase {
        /// Requests go to the router.
        case open
        /// A request for a WebSocket waits for the answers to what came before it.
        case waiting(HTTPRequestHead, UpgradeRequest)
        /// progress-host is asked.
        case asking(Upgrade)
        /// It has agreed: the task that answers requests ends, and the 101 follows.
        case upgrading(Upgrade)
        /// This is answered when all earlier answers are written; nothing more is read.
        case failing(APIFailure, Unrouted)
        /// The last answer is written.
        case lingering
    }

    /// What to do now.
    enum Step {
        case nothing
        case ask(HTTPRequestHead, UpgradeRequest)
        case answer(APIFailure, Unrouted)
        /// The connection ends, once its peer has had time to read.
        case linger
    }

    private enum Reading {
        case requests
        /// The request that is being read is the last one.
        case lastRequest
        case nothing
    }

    var phase = Phase.open
    /// Requests that have begun and are not answered.
    private(set) var answersOwed = 0
    /// Whether a request went to the router.
    private(set) var wasUsed = false
    /// The server stops: the next answer is the last one.
    var isStopping = false
    var closesAfterAnswer = false
    private var reading = Reading.requests
    private var writesLastAnswer = false

    /// Whether parts of requests are wanted.
    var takesRequests: Bool {
        if case .open = phase { reading != .nothing } else { false }
    }

    /// A request goes to the router. `isLast` when none is read after it (RFC 9112 §9.6).
    mutating func pass(isLast: Bool) {
        answersOwed += 1
        wasUsed = true
        closesAfterAnswer = closesAfterAnswer || isLast || isStopping
        if isLast { reading = .lastRequest }
    }

    /// The end of a request has come; true when it was the last one.
    mutating func requestEnded() -> Bool {
        guard reading == .lastRequest else { return false }
        reading = .nothing
        return true
    }

    /// A request for a WebSocket, which is decided about when nothing else is owed.
    mutating func wait(_ head: HTTPRequestHead, _ request: UpgradeRequest) -> Step {
        phase = .waiting(head, request)
        return next()
    }

    /// Something that the router does not see is refused.
    mutating func fail(_ failure: APIFailure, _ unrouted: Unrouted) -> Step {
        phase = .failing(failure, unrouted)
        return next()
    }

    /// The router begins an answer; true when nothing follows it.
    ///
    /// - Parameters:
    ///   - saysClose: Whether the answer has `Connection: close`.
    ///   - isInBody: Whether a request is still being read.
    mutating func answerBegins(saysClose: Bool, isInBody: Bool) -> Bool {
        // A body that the answer did not wait for may never end: it is not read only to get at a next request.
        if answersOwed <= 1, isInBody { closesAfterAnswer = true }
        let isLast = if case .open = phase { closesAfterAnswer && answersOwed <= 1 } else { false }
        writesLastAnswer = saysClose || isLast
        return writesLastAnswer
    }

    mutating func answerEnded() -> Step {
        if case .lingering = phase { return .nothing }
        answersOwed -= 1
        return writesLastAnswer ? .linger : next()
    }

    private func next() -> Step {
        guard answersOwed == 0 else { return .nothing }
        return switch phase {
        case .waiting(let head, _) where isStopping: .answer(.restarting, .upgrade(head))
        case .waiting(let head, let request): .ask(head, request)
        case .failing(let failure, let unrouted): .answer(failure, unrouted)
        default: .nothing
        }
    }
}

/// A request that `ConnectionGate` answers in the place of the router.
enum Unrouted {
    /// For a WebSocket.
    case upgrade(HTTPRequestHead)
    /// It breaks HTTP or arrived too late; without a head when that could not be read.
    case request(HTTPRequestHead?)

    var head: HTTPRequestHead? {
        switch self {
        case .upgrade(let head): head
        case .request(let head): head
        }
    }

    /// As log and tail show it.
    var method: String { head?.method.rawValue ?? "-" }

    /// Path and query, as log and tail show them.
    var target: String { head?.uri ?? "-" }
}

/// How an HTTP connection ends when the server stops. Every further answer carries `Connection: close`.
enum StopDecision: Equatable {
    /// Answers are owed: the connection ends after the last of them.
    case answer
    /// A request may be on its way, and its client cannot know that it would not be answered: wait for it, for ``PeerTimeouts/lastRequest``.
    case awaitRequest
    /// The client has had its answers, and knows that an idle connection may end (RFC 9112 §9.3.1, §9.5).
    case close

    /// - Parameters:
    ///   - answersOwed: Requests that have begun and are not answered.
    ///   - wasUsed: Whether there was a request before.
    ///   - hasBytes: Whether bytes of a next request are there, read or not.
    init(answersOwed: Int, wasUsed: Bool, hasBytes: Bool) {
        self = answersOwed > 0 ? .answer : !wasUsed || hasBytes ? .awaitRequest : .close
    }
}

extension ConnectionGate {
    /// The server stops: every request that was sent is answered, and each answer ends the connection.
    func stop(_ context: ChannelHandlerContext) {
        guard !exchanges.isStopping else { return }
        exchanges.isStopping = true
        switch exchanges.phase {
        case .open: decide(context)
        case .asking(let upgrade):
            upgrade.socket.abandon()
            refuse(upgrade, .restarting, context)
        // The handler of what follows the 101 is not there to be told.
        case .upgrading(let upgrade): upgrade.socket.closeForRestart()
        case .waiting, .failing, .lingering: break
        }
    }

    private func decide(_ context: ChannelHandlerContext) {
        let hasBytes = timeouts.headHasBegun || context.channel.hasUnread
        switch StopDecision(answersOwed: exchanges.answersOwed, wasUsed: exchanges.wasUsed, hasBytes: hasBytes) {
        case .answer: exchanges.closesAfterAnswer = true
        case .awaitRequest:
            context.eventLoop.assumeIsolated().scheduleTask(in: admission.hub.timeouts.lastRequest) { [weak self] in
                self?.timedOut()
            }
        case .close: context.close(promise: nil)
        }
    }

    private func timedOut() {
        guard let context, case .open = exchanges.phase, exchanges.answersOwed == 0 else { return }
        if timeouts.headHasBegun {
            fail(.restarting, .request(nil), context)
        } else {
            context.close(promise: nil)
        }
    }
}
