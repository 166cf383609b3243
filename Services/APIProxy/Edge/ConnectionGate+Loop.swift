import NIOCore
import NIOHTTP1

/// A request that is answered on the event loop of its connection, in its turn: behind the answers to what came before, and before
/// anything that came behind it.
struct LoopTurn {
    let exchange: LoopExchange
    /// Whether the request has come to its end.
    var isRead = false
    var isStarted = false
    /// What came behind the request in the bytes that were read with it.
    var later: [HTTPServerRequestPart] = []

    init(_ exchange: LoopExchange) { self.exchange = exchange }

    /// Keeps a part of a later request; false for one of this request.
    mutating func keep(_ part: HTTPServerRequestPart) -> Bool {
        guard isRead else { return false }
        later.append(part)
        return true
    }
}

extension ConnectionGate {
    /// What answers the request on the event loop; nil when the router is to answer it.
    func loopExchange(for head: HTTPRequestHead, _ context: ChannelHandlerContext) -> LoopExchange? {
        guard head.method == .GET || head.method == .HEAD, let entry = rules.routes.entry(at: head.path),
            let handler = entry.loopHandler
        else { return nil }
        let request = LoopRequest(head: head, entry: entry, channel: context.channel)
        return handler(request).map { LoopExchange(request, $0, rules, gate: self) }
    }

    /// A request with a body is not read to its end first: nothing in it is wanted, and the connection ends with the answer.
    func begin(_ exchange: LoopExchange, hasBody: Bool) {
        loop = LoopTurn(exchange)
        if hasBody { startLoop() }
    }

    func loopRequestEnded() {
        guard loop != nil else { return }
        loop?.isRead = true
        startLoop()
    }

    /// Starts the answer when nothing else is owed; until it is written nothing more is read.
    func startLoop() {
        guard let turn = loop, !turn.isStarted else { return }
        if state.answersOwed == 1 {
            loop?.isStarted = true
            turn.exchange.start()
        }
        if loop?.exchange === turn.exchange { input.hold() }
    }

    /// Whether the connection ends with the answer that begins now.
    func answerBegins(saysClose: Bool) -> Bool { state.answerBegins(saysClose: saysClose, isInBody: pace.isInBody) }

    /// The answer is written: what came behind the request is next.
    func loopEnded() {
        guard let context, var later = loop?.later else { return }
        loop = nil
        answerEnded(context)
        while !later.isEmpty {
            let part = later.removeFirst()
            if loop?.keep(part) != true { take(part, context) }
        }
        guard loop == nil, case .open = state.phase else { return }
        input.release()
        tellInputClosed(context)
    }

    /// The connection is over.
    func endLoop() {
        loop?.exchange.connectionEnded()
        loop = nil
    }
}
