import BookstrackContract
import NIOCore
import Testing
@testable import APIProxy

@Suite("Slow requests") struct SlowRequestTests {
    private let gate: EmbeddedGate

    init() throws { gate = try EmbeddedGate() }

    @Test(
        "a client that says nothing, or never ends its head, gets a 408 after 15 s",
        arguments: ["", "GET / HTTP/1.1\r\nHost"])
    func slowHead(_ text: String) throws {
        try gate.send(text)
        gate.advance(by: .milliseconds(14_999))
        #expect(try gate.received().isEmpty)
        gate.advance(by: .milliseconds(1))
        let late = try gate.answer()
        #expect(late.status == 408 && late["connection"] == "close")
        #expect(try late.failure.code == .requestTimeout)
    }

    @Test("a body that drips is given up after 30 s, and the router hears why")
    func slowBody() throws {
        try gate.send("POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        for _ in 0..<29 {
            gate.advance(by: .seconds(1))
            try gate.send(" ")
        }
        #expect(gate.failures.isEmpty)
        gate.advance(by: .seconds(1))
        #expect(gate.failures == [.late("body")])
    }

    @Test("a complete request is not late, however long the next one takes to begin")
    func keepAlive() throws {
        try gate.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        gate.advance(by: .seconds(59))
        #expect(gate.failures.isEmpty)
        #expect(try gate.received().isEmpty)
    }
}

@Suite("How long a request may take") struct RequestTimeoutTests {
    private let start = NIODeadline.uptimeNanoseconds(0)

    @Test("a first head has 15 s from the connection on")
    func firstHead() {
        var timeouts = RequestTimeouts(connectedAt: start)
        #expect(timeouts.late(at: start + .milliseconds(14_999)) == nil)
        #expect(timeouts.late(at: start + .seconds(15)) == .head)
        #expect(timeouts.late(at: start + .seconds(16)) == nil)
    }

    @Test("a later head has 15 s from its first byte on, whatever drips in")
    func laterHead() {
        var timeouts = RequestTimeouts(connectedAt: start)
        timeouts.headArrived(at: start)
        timeouts.endArrived(at: start)
        timeouts.bytesArrived(at: start + .seconds(40))
        timeouts.bytesArrived(at: start + .seconds(50))
        #expect(timeouts.deadline == start + .seconds(55))
    }

    @Test("the next request has 60 s from the answer on")
    func idle() {
        var timeouts = RequestTimeouts(connectedAt: start)
        timeouts.headArrived(at: start)
        timeouts.endArrived(at: start)
        timeouts.answered(at: start + .seconds(50))
        #expect(timeouts.late(at: start + .seconds(60)) == nil)
        #expect(timeouts.late(at: start + .seconds(110)) == .idle)
    }

    @Test("a body has 30 s and one more for each MiB that came")
    func body() {
        var timeouts = RequestTimeouts(connectedAt: start)
        timeouts.headArrived(at: start)
        #expect(timeouts.deadline == start + .seconds(30))
        timeouts.bodyArrived(3 << 20)
        #expect(timeouts.deadline == start + .seconds(33))
        #expect(timeouts.late(at: start + .seconds(33)) == .body)
    }
}
