import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing
@testable import APIProxy

@Suite("Responses from the event loop") struct LoopAnswerTests {
    /// Work that the test completes.
    private final class Pending: LoopWork {
        var exchange: LoopExchange?
        var isCancelled = false
        /// Whether the work has started and its client has closed its sending side.
        var clientEnded: Bool { exchange?.hasClientEnded ?? false }

        func start(_ exchange: LoopExchange) { self.exchange = exchange }

        func cancel() { isCancelled = true }

        func finish() { exchange?.answer(.accepted, [:], ByteBuffer()) }
    }

    private final class AtOnce: LoopWork {
        let body: ByteBuffer

        init(_ body: ByteBuffer) { self.body = body }

        func start(_ exchange: LoopExchange) { exchange.answer(.created, [:], body) }

        func cancel() {}
    }

    /// Work that responds with the body of its request.
    private final class Echo: LoopWork {
        private var body = ByteBuffer()
        var takesBody: Bool { true }

        func take(_ part: ByteBuffer) { body.writeImmutableBuffer(part) }

        func start(_ exchange: LoopExchange) { exchange.answer(.ok, [:], body) }

        func cancel() {}
    }

    /// The work for the requests to `/later`, in order; a test and its connection share one thread.
    private final class Started: @unchecked Sendable {
        var works: [Pending] = []
    }

    private let started = Started()
    private let connection: EmbeddedConnection

    init() throws {
        connection = try EmbeddedConnection(routes: [
            Route(onLoop: "/now", limit: .exempt) { _ in AtOnce(ByteBuffer(string: "x")) },
            Route(onLoop: "/long", limit: .exempt) { _ in AtOnce(ByteBuffer(repeating: 0, count: 256 << 10)) },
            Route(onLoop: "/later", limit: .exempt) { [started] _ in
                started.works.append(Pending())
                return started.works.last
            },
            Route(onLoop: "/echo", method: .post, limit: .exempt) { _ in Echo() },
        ])
    }

    private static func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    @Test("a client that leaves more than 1 MiB of responses unread and sends another request is disconnected")
    func readsNothing() throws {
        connection.setReading(false)
        try connection.send(Array(repeating: Self.request("/long"), count: 4).joined())
        #expect(connection.isOpen)
        try connection.send(Self.request("/now"))
        #expect(!connection.isOpen)
    }

    @Test("a client that has read its responses may send another request")
    func readsAgain() throws {
        connection.setReading(false)
        try connection.send(Array(repeating: Self.request("/long"), count: 4).joined())
        connection.setReading(true)
        try connection.send(Self.request("/now"))
        #expect(connection.isOpen)
    }

    @Test("responses keep the order of their requests, whether the event loop or the router handles them")
    func order() throws {
        try connection.send(["/now", "/router", "/now", "/now"].map { Self.request($0) }.joined())
        #expect(try connection.statuses() == [201])
        try connection.answerRequest()
        #expect(try connection.statuses() == [200, 201, 201])
    }

    @Test("until a response is complete, nothing more is read, and requests that were already read have to wait")
    func later() throws {
        try connection.send(["/later", "/now", "/router", "/later"].map { Self.request($0) }.joined())
        #expect(try connection.statuses().isEmpty)
        #expect(!connection.reads())
        #expect(connection.requests == 0)
        started.works[0].finish()
        #expect(try connection.statuses() == [202, 201])
        #expect(connection.requests == 1)
        try connection.answerRequest()
        started.works[1].finish()
        #expect(try connection.statuses() == [200, 202])
        #expect(connection.reads())
    }

    @Test("requests that arrive while a response is pending are handled after those already read")
    func heldBytes() throws {
        try connection.send(["/later", "/now", "/router"].map { Self.request($0) }.joined())
        try connection.send(Self.request("/now"))
        started.works[0].finish()
        #expect(try connection.statuses() == [202, 201])
        try connection.answerRequest()
        #expect(try connection.statuses() == [200, 201])
    }

    @Test(
        "while the body of a later request is arriving, the response to the earlier request leaves the connection open")
    func laterBody() throws {
        try connection.send(Self.request("/later") + "POST /router HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        started.works[0].finish()
        #expect(try connection.answer()["connection"] == nil)
        try connection.send("llo")
        #expect(connection.requests == 1)
        try connection.answerRequest()
        #expect(try connection.answer()["connection"] == nil)
    }

    @Test("the rest of a later request's body is read on the event loop once the response before it is complete")
    func laterBodyOnLoop() throws {
        try connection.send(Self.request("/later") + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        started.works[0].finish()
        #expect(try connection.statuses() == [202])
        #expect(connection.reads())
        try connection.send("llo" + Self.request("/now"))
        #expect(try connection.statuses() == [200, 201])
    }

    @Test("a client that has closed its sending side receives all its responses before the connection ends")
    func halfClosed() throws {
        try connection.send(["/later", "/now"].map { Self.request($0) }.joined())
        connection.closeInput()
        #expect(connection.isOpen)
        started.works[0].finish()
        #expect(try connection.statuses() == [202, 201])
        #expect(!connection.isOpen)
    }

    @Test("requests behind a pending response are answered even if their client then closes its sending side")
    func halfClosedBehind() throws {
        try connection.send(Self.request("/later"))
        try connection.send(["/now", "/now", "/router"].map { Self.request($0) }.joined())
        connection.closeInput()
        started.works[0].finish()
        #expect(try connection.statuses() == [202, 201, 201])
        try #require(connection.requests == 1)
        try connection.answerRequest()
        #expect(try connection.statuses() == [200])
    }

    @Test("work that starts after its client has closed its sending side can see that")
    func halfClosedBefore() throws {
        try connection.send(["/router", "/later"].map { Self.request($0) }.joined())
        connection.closeInput()
        #expect(!started.works[0].clientEnded)
        try connection.answerRequest()
        #expect(started.works[0].clientEnded)
    }

    @Test(
        "a WebSocket request behind a pending response goes to the router if the client then closes its sending side",
        arguments: [true, false])
    func halfClosedUpgrade(isReadTogether: Bool) throws {
        let requests = [Self.request("/later"), WebSocketClient.request()]
        for bytes in isReadTogether ? [requests.joined()] : requests { try connection.send(bytes) }
        connection.closeInput()
        started.works[0].finish()
        try #require(connection.requests == 1)
        try connection.answerRequest()
        #expect(try connection.statuses() == [202, 200])
    }

    @Test("work for a client that disconnects is cancelled")
    func cancelled() throws {
        try connection.send(Self.request("/later"))
        connection.lose()
        #expect(started.works[0].isCancelled)
    }

    @Test("a connection closes 60 s after its last response from the event loop, but not while one is pending")
    func idle() throws {
        try connection.send(Self.request("/now"))
        connection.advance(by: .seconds(50))
        try connection.send(Self.request("/later"))
        connection.advance(by: .seconds(70))
        #expect(connection.isOpen)
        started.works[0].finish()
        connection.advance(by: .seconds(59))
        #expect(connection.isOpen)
        connection.advance(by: .seconds(2))
        #expect(!connection.isOpen)
    }

    @Test("if a request's body was not read, the connection ends after the response")
    func body() throws {
        try connection.send(Self.request("/now", "Content-Length: 5\r\n") + "he")
        let answer = try connection.answer()
        #expect(answer.status == 201)
        #expect(answer["connection"] == "close")
    }

    @Test("a request that offers HTTP/2 and the request after it are answered in HTTP/1.1")
    func offer() throws {
        let offer =
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
        try connection.send(Self.request("/later", offer) + Self.request("/now"))
        started.works[0].finish()
        #expect(try connection.statuses() == [202, 201])
        try connection.send(Self.request("/now"))
        #expect(try connection.statuses() == [201])
    }

    @Test("a stopping listener completes the response and then closes the connection")
    func stop() throws {
        try connection.send(Self.request("/later"))
        connection.stop()
        #expect(connection.isOpen)
        started.works[0].finish()
        #expect(try connection.answer()["connection"] == "close")
    }

    @Test(
        "a stopping listener completes a response whose head did not announce the close, then closes the connection")
    func stopAfterHead() throws {
        try connection.send(Self.request("/later"))
        started.works[0].exchange?.begin([:])
        connection.stop()
        #expect(connection.isOpen)
        started.works[0].exchange?.end()
        #expect(!connection.isOpen)
    }

    @Test("a request that arrives behind an unfinished response is answered even if the listener is stopping")
    func stopBeforeNext() throws {
        try connection.send(Self.request("/later"))
        started.works[0].exchange?.begin([:])
        connection.stop()
        try connection.send(Self.request("/router"))
        started.works[0].exchange?.end()
        _ = try connection.received()
        try #require(connection.requests == 1)
        try connection.answerRequest()
        #expect(try connection.answer()["connection"] == "close")
    }

    @Test("HEAD is answered without a body")
    func head() throws {
        try connection.send("HEAD /now HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try connection.answer()
        #expect(answer["content-length"] == "1")
        #expect(answer.body.isEmpty)
    }
}

@Suite("The order of responses on a connection") struct AnswerOrderTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
    private let connection: EmbeddedConnection

    init() throws { connection = try EmbeddedConnection() }

    @Test("nothing follows a response that closes the connection, whatever requests remain")
    func behindClose() throws {
        try connection.send(Self.request + Self.request + "nonsense\r\n\r\n")
        try connection.answerRequest(["Connection": "close"])
        #expect(try connection.statuses() == [200])
        #expect(throws: ChannelError.outputClosed) { try connection.answerRequest() }
        #expect(try connection.received().isEmpty)
    }

    @Test("a refusal waits for the responses before it, and nothing is read until then")
    func refusal() throws {
        try connection.send(Self.request + Self.request + "nonsense\r\n\r\n")
        #expect(!connection.reads())
        try connection.answerRequest()
        #expect(try connection.statuses() == [200])
        try connection.answerRequest()
        #expect(try connection.statuses() == [200, 400])
    }

    @Test("a client that waits for 100 Continue receives it once, when the router reads its body")
    func goesOn() throws {
        try connection.send(Self.upload)
        #expect(try connection.received().isEmpty)
        connection.wantBody()
        #expect(try HTTPAnswer(connection.received()).status == 100)
        connection.wantBody()
        #expect(try connection.received().isEmpty)
    }

    @Test("a client receives 100 Continue only after the responses to its earlier requests")
    func goesOnInOrder() throws {
        try connection.send(Self.request + Self.upload)
        connection.wantBody()
        #expect(try connection.received().isEmpty)
        try connection.answerRequest()
        #expect(try connection.statuses() == [200])
        connection.wantBody()
        #expect(try HTTPAnswer(connection.received()).status == 100)
    }

    @Test("a client that sends its body immediately or uses HTTP/1.0 receives no 100 Continue")
    func needsNothing() throws {
        try connection.send(Self.upload + "x")
        connection.wantBody()
        #expect(try connection.received().isEmpty)
        try connection.answerRequest()
        #expect(try connection.statuses() == [200])
        try connection.send(Self.upload.replacing("HTTP/1.1", with: "HTTP/1.0"))
        connection.wantBody()
        #expect(try connection.received().isEmpty)
    }

    @Test("a client whose request is answered before its body is read receives only the final response")
    func refusedBeforeBody() throws {
        try connection.send(Self.upload)
        try connection.answerRequest()
        connection.wantBody()
        let answer = try connection.answer()
        #expect(answer.status == 200)
        #expect(answer["connection"] == "close")
    }

    private static let upload = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n"
}
