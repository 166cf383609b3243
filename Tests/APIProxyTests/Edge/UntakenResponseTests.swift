import HTTPTypes
import NIOCore
import Testing

@testable import APIProxy

@Suite("The last response to a client that reads slowly") struct UntakenResponseTests {
    private final class AtOnce: LoopWork {
        func start(_ exchange: LoopExchange) { exchange.answer(.ok, [:], ByteBuffer(string: "x")) }

        func cancel() {}
    }

    /// Work that waits until its client closes its sending side.
    private final class Waiting: LoopWork {
        private var exchange: LoopExchange?

        func start(_ exchange: LoopExchange) { self.exchange = exchange }

        func cancel() { exchange = nil }

        func inputClosed() { exchange?.abandon() }
    }

    private let network = StalledNetwork()
    private let connection: EmbeddedConnection

    init() throws {
        connection = try EmbeddedConnection(
            routes: [
                Route(onLoop: "/now", limit: .exempt) { _ in AtOnce() },
                Route(onLoop: "/later", limit: .exempt) { _ in Waiting() },
            ], network: network)
    }

    private func send(_ path: String, _ fields: String = "") throws {
        try connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    }

    @Test("a response with Connection: close is sent completely before the connection ends")
    func announced() throws {
        try send("/now", "Connection: close\r\n")
        connection.advance(by: .seconds(50))
        #expect(connection.isOpen)
        network.takeAll()
        #expect(!connection.isOpen)
    }

    @Test("a client that has closed its sending side receives the whole response")
    func halfClosed() throws {
        try send("/now")
        connection.closeInput()
        #expect(connection.isOpen)
        network.takeAll()
        #expect(!connection.isOpen)
    }

    @Test("a client that has closed its sending side receives the router's whole response")
    func routerEnds() throws {
        try send("/router")
        connection.closeInput()
        try connection.answerRequest()
        connection.endRouter()
        #expect(connection.isOpen)
        network.takeAll()
        #expect(!connection.isOpen)
    }

    @Test("a client that closes its sending side while a request waits still receives the earlier response")
    func waitEnds() throws {
        try send("/now")
        try send("/later")
        connection.closeInput()
        #expect(connection.isOpen)
        network.takeAll()
        #expect(!connection.isOpen)
    }

    @Test("a client that closes its sending side while the router works still receives the earlier response")
    func routerIsCancelled() throws {
        try send("/now")
        try send("/router")
        connection.closeInput()
        connection.cancelRouter()
        #expect(connection.isOpen)
        network.takeAll()
        #expect(!connection.isOpen)
    }

    @Test("an invalid request does not cost a client that closes its sending side an earlier response")
    func routerIsCancelledBeforeRefusal() throws {
        try send("/now")
        try send("/router")
        try connection.send("GET /now HTTP/1.1\r\n\r\n")
        connection.closeInput()
        connection.cancelRouter()
        #expect(connection.isOpen)
        network.takeAll()
        #expect(!connection.isOpen)
    }

    @Test("when the server is cancelled, a half-closed connection ends even if its client has not read the response")
    func serverIsCancelled() throws {
        try send("/now")
        connection.closeInput()
        connection.cancelServer()
        #expect(!connection.isOpen)
    }

    @Test("when the server stops, the client of an idle connection still receives the whole response")
    func stops() throws {
        try send("/now")
        connection.stop()
        #expect(connection.isOpen)
        network.takeAll()
        #expect(!connection.isOpen)
    }

    @Test("a client that reads nothing of the last response is disconnected after at most 120 s")
    func never() throws {
        try send("/now", "Connection: close\r\n")
        connection.advance(by: .seconds(119))
        #expect(connection.isOpen)
        connection.advance(by: .seconds(1))
        #expect(!connection.isOpen)
    }
}
