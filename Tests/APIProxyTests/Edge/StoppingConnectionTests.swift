import NIOCore
import Testing
@testable import APIProxy

@Suite("A connection while the server is stopping") struct StoppingConnectionTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
    private let connection: EmbeddedConnection

    init() throws { connection = try EmbeddedConnection() }

    @Test("while the server is stopping, an unused connection stays open for its first request, which is also its last")
    func fresh() throws {
        connection.stop()
        connection.advance(by: .milliseconds(999))
        #expect(connection.isOpen)
        try connection.send(Self.request)
        #expect(connection.requests == 1)
        connection.advance(by: .seconds(5))
        try connection.answerRequest()
        #expect(try connection.answer()["connection"] == "close")
    }

    @Test("while the server is stopping, an unused connection is closed if no request arrives before the timeout")
    func silent() throws {
        connection.stop()
        connection.advance(by: PeerTimeouts().lastRequest - .milliseconds(1))
        #expect(connection.isOpen)
        connection.advance(by: .milliseconds(1))
        #expect(!connection.isOpen)
        #expect(try connection.received().isEmpty)
    }

    @Test(
        "while the server is stopping, a client whose request is still incomplete at the timeout receives a 503",
        arguments: [false, true])
    func part(_ wasUsed: Bool) throws {
        if wasUsed {
            try connection.send(Self.request)
            try connection.answerRequest()
            _ = try connection.received()
        }
        try connection.send("GET / HTT")
        connection.stop()
        connection.advance(by: PeerTimeouts().lastRequest)
        let answer = try connection.answer()
        #expect(answer.status == 503)
        #expect(answer["connection"] == "close")
    }

    @Test("when the server stops, an idle connection is closed immediately")
    func idle() throws {
        try connection.send(Self.request)
        try connection.answerRequest()
        #expect(try connection.answer()["connection"] == nil)
        connection.stop()
        connection.advance(by: .zero)
        #expect(!connection.isOpen)
    }

    @Test(
        "when the server stops, all requests that have arrived are answered, and the last response closes the connection"
    )
    func pipelined() throws {
        try connection.send(Self.request + Self.request)
        connection.stop()
        connection.advance(by: .seconds(3))
        try connection.answerRequest()
        #expect(try connection.answer()["connection"] == nil)
        try connection.answerRequest()
        #expect(try connection.answer()["connection"] == "close")
    }

    @Test("an upgrade request that arrives while the server is stopping is refused")
    func upgrade() throws {
        connection.stop()
        try connection.send(
            "GET /ws/progress?jobId=job-12345678&token=t HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
        let answer = try connection.answer()
        #expect(answer.status == 503)
        #expect(answer["connection"] == "close")
    }
}

@Suite("A connection when the server stops") struct StopDecisionTests {
    @Test("when the server stops, pending responses are sent", arguments: [false, true])
    func owed(_ hasBytes: Bool) {
        #expect(StopDecision(answersOwed: 1, wasUsed: true, hasBytes: hasBytes) == .answer)
    }

    @Test(
        "when the server stops, it waits for a connection's first request, whether or not part of it has arrived",
        arguments: [false, true])
    func fresh(_ hasBytes: Bool) {
        #expect(StopDecision(answersOwed: 0, wasUsed: false, hasBytes: hasBytes) == .awaitRequest)
    }

    @Test("when the server stops, an idle connection is closed unless part of its next request has arrived")
    func idle() {
        #expect(StopDecision(answersOwed: 0, wasUsed: true, hasBytes: false) == .close)
        #expect(StopDecision(answersOwed: 0, wasUsed: true, hasBytes: true) == .awaitRequest)
    }
}
