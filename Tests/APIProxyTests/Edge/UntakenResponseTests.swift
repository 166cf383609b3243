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
    private let gate: EmbeddedGate

    init() throws {
        gate = try EmbeddedGate(
            routes: [
                Route(onLoop: "/now", limit: .exempt) { _ in AtOnce() },
                Route(onLoop: "/later", limit: .exempt) { _ in Waiting() },
            ], network: network)
    }

    private func send(_ path: String, _ fields: String = "") throws {
        try gate.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    }

    @Test("a response with Connection: close is sent completely before the connection ends")
    func announced() throws {
        try send("/now", "Connection: close\r\n")
        gate.advance(by: .seconds(50))
        #expect(gate.isOpen)
        network.takeAll()
        #expect(!gate.isOpen)
    }

    @Test("a client that has closed its sending side receives the whole response")
    func halfClosed() throws {
        try send("/now")
        gate.closeInput()
        #expect(gate.isOpen)
        network.takeAll()
        #expect(!gate.isOpen)
    }

    @Test("a client that has closed its sending side receives the router's whole response")
    func routerEnds() throws {
        try send("/router")
        gate.closeInput()
        try gate.answerRequest()
        gate.endRouter()
        #expect(gate.isOpen)
        network.takeAll()
        #expect(!gate.isOpen)
    }

    @Test("a client that closes its sending side while a request waits still receives the earlier response")
    func waitEnds() throws {
        try send("/now")
        try send("/later")
        gate.closeInput()
        #expect(gate.isOpen)
        network.takeAll()
        #expect(!gate.isOpen)
    }

    @Test("when the server stops, the client of an idle connection still receives the whole response")
    func stops() throws {
        try send("/now")
        gate.stop()
        #expect(gate.isOpen)
        network.takeAll()
        #expect(!gate.isOpen)
    }

    @Test("a client that reads nothing of the last response is disconnected after at most 120 s")
    func never() throws {
        try send("/now", "Connection: close\r\n")
        gate.advance(by: .seconds(119))
        #expect(gate.isOpen)
        gate.advance(by: .seconds(1))
        #expect(!gate.isOpen)
    }
}
