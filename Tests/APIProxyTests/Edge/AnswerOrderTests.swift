import NIOCore
import NIOHTTP1
import Testing

@testable import APIProxy

@Suite("The order of answers on a connection") struct AnswerOrderTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
    private let gate: EmbeddedGate

    init() throws { gate = try EmbeddedGate() }

    @Test("nothing follows an answer that closes the connection, whatever is owed")
    func behindClose() throws {
        try gate.send(Self.request + Self.request + "nonsense\r\n\r\n")
        try gate.answerRequest(["Connection": "close"])
        #expect(try gate.statuses() == [200])
        #expect(throws: ChannelError.outputClosed) { try gate.answerRequest() }
        #expect(try gate.received().isEmpty)
    }

    @Test("a refusal waits for the answers before it, and nothing is read meanwhile")
    func refusal() throws {
        try gate.send(Self.request + Self.request + "nonsense\r\n\r\n")
        #expect(!gate.reads())
        try gate.answerRequest()
        #expect(try gate.statuses() == [200])
        try gate.answerRequest()
        #expect(try gate.statuses() == [200, 400])
    }

    @Test("a client that waits for 100 Continue is told to go on, but not before the answers that it is owed")
    func goesOn() throws {
        let upload = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
        try gate.send(upload)
        #expect(try HTTPAnswer(gate.received()).status == 100)
        try gate.send("x" + upload)
        #expect(try gate.received().isEmpty)
    }
}
