import BookstrackContract
import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("What a socket remembers") struct SocketStateTests {
    @Test("an event is handed over once; control frames neither raise the number nor are they dropped")
    func ledger() {
        var ledger = DeliveryLedger()
        #expect(ledger.admit(.control, seq: 0, control: .other) == true)
        #expect(!ledger.begun)
        #expect(ledger.admit(.event, seq: 1, control: .other) == true)
        #expect(ledger.admit(.event, seq: 1, control: .other) == false)
        #expect(ledger.admit(.progress, seq: 5, control: .other) == true)
        #expect(ledger.admit(.progress, seq: 4, control: .other) == false)
        #expect(ledger.admit(.control, seq: 9, control: .reconnected) == true)
        #expect(ledger.lastSeq == 5)
        #expect(ledger.admit(.terminal, seq: 6, control: .other) == true)
        #expect(ledger.lastSeq == 6)
    }

    @Test("ready_ack begins the stream, and reconnected after it still says where")
    func ledgerReady() {
        var ledger = DeliveryLedger()
        #expect(ledger.admit(.control, seq: 17, control: .readyAck) == true)
        #expect(ledger.begun && ledger.lastSeq == 0)
        #expect(ledger.admit(.control, seq: 17, control: .reconnected) == true)
        #expect(ledger.lastSeq == 17)
    }

    @Test("a stream that begins with reconnected goes on after its number")
    func ledgerReconnected() {
        var ledger = DeliveryLedger()
        #expect(ledger.admit(.control, seq: 17, control: .reconnected) == true)
        #expect(ledger.begun && ledger.lastSeq == 17)
        #expect(ledger.admit(.event, seq: 17, control: .other) == false)
        #expect(ledger.admit(.event, seq: 18, control: .other) == true)
    }

    @Test("a frame's length takes one, three or nine bytes")
    func lengths() {
        for (length, header) in [(125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            #expect(WebSocketWire.text(ByteBuffer(repeating: 0, count: length)).readableBytes == length + header)
        }
    }

    @Test("sockets are limited in all, per job and per address, and make room when they leave")
    func census() throws {
        let census = SocketCensus(limits: .init(total: 3, perJob: 2, perAddress: 2))
        let (a, b, c) = (try job("job-aaaa"), try job("job-bbbb"), try job("job-cccc"))
        let place = try census.enter(job: a, address: "1")
        _ = try census.enter(job: a, address: "2")
        #expect(throws: APIFailure.self) { try census.enter(job: a, address: "3") }
        _ = try census.enter(job: b, address: "1")
        do {
            _ = try census.enter(job: c, address: "3")
            Issue.record("a fourth socket was let in")
        } catch { #expect(error.code == .serviceUnavailable && error.retryAfter == 30) }
        census.leave(place)
        do {
            _ = try census.enter(job: c, address: "1")
            #expect(census.total == 3)
        } catch { Issue.record("no room was made: \(error)") }
    }
}
