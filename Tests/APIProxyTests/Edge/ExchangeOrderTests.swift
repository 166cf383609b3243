import NIOHTTP1
import Testing

@testable import APIProxy

@Suite("The order of requests and responses") struct ExchangeOrderTests {
    private let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/ws/jobs")

    private enum Kind { case nothing, ask, answer, linger }

    private func kind(_ step: ExchangeOrder.Step) -> Kind {
        switch step {
        case .nothing: .nothing
        case .ask: .ask
        case .answer: .answer
        case .linger: .linger
        }
    }

    @Test("if nothing requires a close, the connection stays open after the response")
    func keptAlive() {
        var order = ExchangeOrder()
        order.pass(isLast: false)
        #expect(order.requestEnded() == false)
        #expect(order.answersOwed == 1)
        #expect(order.answerBegins(saysClose: false, isInBody: false) == false)
        #expect(kind(order.answerEnded()) == .nothing)
        #expect(order.answersOwed == 0)
        #expect(order.takesRequests)
        #expect(order.wasUsed)
    }

    @Test("after a request that closes the connection, no further request is read, and its response is the last one")
    func lastRequest() {
        var order = ExchangeOrder()
        order.pass(isLast: true)
        #expect(order.takesRequests)
        #expect(order.requestEnded() == true)
        #expect(!order.takesRequests)
        #expect(order.answerBegins(saysClose: false, isInBody: false) == true)
        #expect(kind(order.answerEnded()) == .linger)
    }

    @Test("of several pending responses, only the last one closes the connection")
    func severalOwed() {
        var order = ExchangeOrder()
        order.pass(isLast: false)
        order.pass(isLast: true)
        #expect(order.answerBegins(saysClose: false, isInBody: false) == false)
        #expect(kind(order.answerEnded()) == .nothing)
        #expect(order.answerBegins(saysClose: false, isInBody: false) == true)
        #expect(kind(order.answerEnded()) == .linger)
    }

    @Test("a response that did not wait for its request's body is the last one")
    func unreadBody() {
        var order = ExchangeOrder()
        order.pass(isLast: false)
        #expect(order.answerBegins(saysClose: false, isInBody: true) == true)
        #expect(kind(order.answerEnded()) == .linger)
    }

    @Test("a response that announces the close is the last one, even if its request did not announce a close")
    func answerCloses() {
        var order = ExchangeOrder()
        order.pass(isLast: false)
        #expect(order.answerBegins(saysClose: true, isInBody: false) == true)
        #expect(kind(order.answerEnded()) == .linger)
    }

    @Test("while the server is stopping, the response to the next request is the last one")
    func stopping() {
        var order = ExchangeOrder()
        order.isStopping = true
        order.pass(isLast: false)
        #expect(order.answerBegins(saysClose: false, isInBody: false) == true)
    }

    @Test("a WebSocket request is handled immediately if no response is pending")
    func upgradeAtOnce() {
        var order = ExchangeOrder()
        #expect(kind(order.wait(head, .jobs)) == .ask)
        #expect(!order.takesRequests)
    }

    @Test("a WebSocket request waits for the responses to earlier requests")
    func upgradeWaits() {
        var order = ExchangeOrder()
        order.pass(isLast: false)
        order.pass(isLast: false)
        #expect(kind(order.wait(head, .jobs)) == .nothing)
        _ = order.answerBegins(saysClose: false, isInBody: false)
        #expect(kind(order.answerEnded()) == .nothing)
        _ = order.answerBegins(saysClose: false, isInBody: false)
        #expect(kind(order.answerEnded()) == .ask)
    }

    @Test("a WebSocket request that is still waiting when the server stops is refused")
    func upgradeWhileStopping() {
        var order = ExchangeOrder()
        order.pass(isLast: false)
        _ = order.wait(head, .jobs)
        order.isStopping = true
        _ = order.answerBegins(saysClose: false, isInBody: false)
        guard case .answer(let failure, let unrouted) = order.answerEnded() else {
            Issue.record("the waiting request was not refused")
            return
        }
        #expect(failure == .restarting)
        #expect(unrouted.method == "GET")
        #expect(unrouted.target == "/ws/jobs")
    }

    @Test("an early refusal is sent after the pending responses")
    func failing() {
        var order = ExchangeOrder()
        order.pass(isLast: false)
        #expect(kind(order.fail(.malformedHTTP("x"), .request(nil))) == .nothing)
        _ = order.answerBegins(saysClose: false, isInBody: false)
        #expect(kind(order.answerEnded()) == .answer)
    }

    @Test("a request whose head could not be parsed is recorded with neither method nor target")
    func unread() {
        #expect(Unrouted.request(nil).method == "-")
        #expect(Unrouted.request(nil).target == "-")
    }

    @Test(
        "a stop sends pending responses, waits for a first or arriving request, and closes idle connections",
        arguments: [
            (1, true, false, StopDecision.answer), (2, true, true, .answer), (0, false, false, .awaitRequest),
            (0, false, true, .awaitRequest), (0, true, true, .awaitRequest), (0, true, false, .close),
        ])
    func stopDecisions(owed: Int, wasUsed: Bool, hasBytes: Bool, decision: StopDecision) {
        #expect(StopDecision(answersOwed: owed, wasUsed: wasUsed, hasBytes: hasBytes) == decision)
    }
}
