import BookstrackContract
import NIOCore
import Testing
@testable import APIProxy

@Suite("Slow requests") struct SlowRequestTests {
    private let connection: EmbeddedConnection

    init() throws { connection = try EmbeddedConnection() }

    @Test(
        "a client that sends nothing, or never completes its request head, receives a 408 after 15 s",
        arguments: ["", "GET / HTTP/1.1\r\nHost"])
    func slowHead(_ text: String) throws {
        try connection.send(text)
        connection.advance(by: .milliseconds(14_999))
        #expect(try connection.received().isEmpty)
        connection.advance(by: .milliseconds(1))
        let late = try connection.answer()
        #expect(late.status == 408)
        #expect(late["connection"] == "close")
        #expect(try late.failure.code == .requestTimeout)
    }

    @Test("a slow body is abandoned after 30 s, and the router receives the reason")
    func slowBody() throws {
        try connection.send("POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        for _ in 0..<29 {
            connection.advance(by: .seconds(1))
            try connection.send(" ")
        }
        #expect(connection.failures.isEmpty)
        connection.advance(by: .seconds(1))
        #expect(connection.failures == [.late("body")])
    }

    @Test("on a connection that has been used, a request head must also be complete within 15 s")
    func laterHead() throws {
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try connection.answerRequest()
        connection.advance(by: .seconds(20))
        _ = try connection.received()
        try connection.send("GET / HTTP/1.1\r\nHost")
        connection.advance(by: .milliseconds(14_999))
        #expect(try connection.received().isEmpty)
        connection.advance(by: .milliseconds(1))
        #expect(try connection.answer().status == 408)
    }

    @Test("on a connection that has been used, a body is also abandoned after 30 s")
    func laterBody() throws {
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try connection.answerRequest()
        connection.advance(by: .seconds(20))
        try connection.send("POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        connection.advance(by: .milliseconds(29_999))
        #expect(connection.failures.isEmpty)
        connection.advance(by: .milliseconds(1))
        #expect(connection.failures == [.late("body")])
    }

    @Test("a connection does not time out while a complete request waits for its response")
    func slowResponse() throws {
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.advance(by: .seconds(200))
        #expect(connection.isOpen)
        #expect(connection.failures.isEmpty)
        #expect(try connection.received().isEmpty)
    }

    @Test("a client that reads nothing of a response is disconnected after at most 120 s")
    func readsNothing() throws {
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.setReading(false)
        connection.advance(by: .seconds(119))
        #expect(connection.isOpen)
        connection.advance(by: .seconds(1))
        #expect(!connection.isOpen)
    }

    @Test("a client that reads again within 60 s is not disconnected")
    func readsSlowly() throws {
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in 0..<10 {
            connection.setReading(false)
            connection.advance(by: .seconds(59))
            connection.setReading(true)
            connection.advance(by: .seconds(1))
        }
        #expect(connection.isOpen)
    }

    @Test("a client that takes longer than 60 s to read a complete response is not idle")
    func readsLongResponse() throws {
        try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try connection.answerRequest()
        connection.setReading(false)
        connection.advance(by: .seconds(70))
        connection.setReading(true)
        connection.advance(by: .seconds(59))
        #expect(connection.isOpen)
        connection.advance(by: .seconds(1))
        #expect(!connection.isOpen)
    }
}

@Suite("Request and peer timeouts") struct RequestTimeoutTests {
    private let start = NIODeadline.uptimeNanoseconds(0)

    @Test("the first request head must arrive within 15 s of connecting")
    func firstHead() {
        var timeouts = RequestTimeouts(connectedAt: start)
        #expect(timeouts.late(at: start + .milliseconds(14_999)) == nil)
        #expect(timeouts.late(at: start + .seconds(15)) == .head)
        #expect(timeouts.late(at: start + .seconds(16)) == nil)
    }

    @Test("a later request head must arrive within 15 s of its first byte")
    func laterHead() {
        var timeouts = RequestTimeouts(connectedAt: start)
        timeouts.headArrived(at: start)
        timeouts.endArrived(at: start)
        timeouts.bytesArrived(at: start + .seconds(40))
        timeouts.bytesArrived(at: start + .seconds(50))
        #expect(timeouts.deadline == start + .seconds(55))
    }

    @Test("the next request must start within 60 s of the response")
    func idle() {
        var timeouts = RequestTimeouts(connectedAt: start)
        timeouts.headArrived(at: start)
        timeouts.endArrived(at: start)
        timeouts.answered(at: start + .seconds(50))
        #expect(timeouts.late(at: start + .seconds(60)) == nil)
        #expect(timeouts.late(at: start + .seconds(110)) == .idle)
    }

    @Test("a body may take 30 s plus 1 s for each received MiB")
    func body() {
        var timeouts = RequestTimeouts(connectedAt: start)
        timeouts.headArrived(at: start)
        #expect(timeouts.deadline == start + .seconds(30))
        timeouts.bodyArrived(3 << 20)
        #expect(timeouts.deadline == start + .seconds(33))
        #expect(timeouts.late(at: start + .seconds(33)) == .body)
    }

    @Test("a response to an earlier request does not extend the timeout of the head or body that is arriving")
    func answeredMeanwhile() {
        var timeouts = RequestTimeouts(connectedAt: start)
        timeouts.endArrived(at: start)
        timeouts.bytesArrived(at: start + .seconds(1))
        timeouts.answered(at: start + .seconds(14))
        #expect(timeouts.deadline == start + .seconds(16))
        timeouts.headArrived(at: start + .seconds(2))
        timeouts.answered(at: start + .seconds(30))
        #expect(timeouts.deadline == start + .seconds(32))
    }

    @Test("a client that reads part of a response has another 60 s for the next part")
    func unread() {
        var timeout = UnreadTimeout()
        let reads = [(5, 0), (5, 59), (6, 60), (6, 119), (6, 120)]
        let expired = reads.map { taken, second in
            timeout.hasExpired(taken: taken, at: start + .seconds(Int64(second)))
        }
        #expect(expired == [false, false, false, false, true])
    }

    @Test(
        "a slow client is given one more second for each 32 KiB of its last frame",
        arguments: [(0, 5_000 as Int64), (32 << 10, 6_000), (1 << 20, 37_000)])
    func drain(bytes: Int, milliseconds: Int64) {
        #expect(PeerTimeouts().drain(endOf: bytes) == .milliseconds(milliseconds))
    }
}
