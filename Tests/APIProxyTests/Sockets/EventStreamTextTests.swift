import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Events as text") struct EventStreamTextTests {
    private func event(_ frame: String, id: String = "17") -> String {
        String(buffer: EventStreamText.event(id: id, frame: ByteBuffer(string: frame)))
    }

    @Test("an event contains the sequence number, the frame's type and the frame on one line")
    func documented() {
        #expect(
            event(#"{"type":"job_progress","seq":17}"#)
                == "id: 17\nevent: job_progress\ndata: {\"type\":\"job_progress\",\"seq\":17}\n\n")
    }

    @Test("an error frame becomes a job_error event, because EventSource reserves the name error")
    func errors() {
        #expect(event(#"{"type":"error"}"#) == "id: 17\nevent: job_error\ndata: {\"type\":\"error\"}\n\n")
    }

    @Test(
        "a frame that does not start with its type has no event line",
        arguments: [
            "{}", #"{"seq":1,"type":"x"}"#, #"{"type":1}"#, #"{"type":"x"#, "",
        ])
    func withoutType(frame: String) {
        #expect(event(frame) == "id: 17\ndata: \(frame)\n\n")
    }

    @Test(
        "an event ID may contain the sequence numbers of several jobs, and a notice has no ID line"
    )
    func identifiers() {
        #expect(event("{}", id: "job-aaaa=1,job-bbbb=2").hasPrefix("id: job-aaaa=1,job-bbbb=2\n"))
        let notice = EventStreamText.event(id: nil, type: "unwatched", data: ByteBuffer(string: "{}"))
        #expect(String(buffer: notice) == "event: unwatched\ndata: {}\n\n")
    }

    @Test("the reconnection time is in milliseconds, and the heartbeat is a comment")
    func others() {
        #expect(String(buffer: EventStreamText.retry(milliseconds: 5_000)) == "retry: 5000\n\n")
        #expect(String(buffer: EventStreamText.heartbeat) == ": heartbeat\n\n")
    }

    @Test(
        "plain text, which only the v1 dialect has, is not sent as an event, and every other delivery is",
        arguments: SocketDelivery.Kind.allCases)
    func deliveries(kind: SocketDelivery.Kind) {
        let delivery = SocketDelivery(
            sockets: [], kind: kind, seq: 4, frame: ByteBuffer(string: #"{"type":"job_started"}"#))
        let text = delivery.eventStreamBytes.map { String(buffer: $0) }
        #expect(text == (kind == .text ? nil : "id: 4\nevent: job_started\ndata: {\"type\":\"job_started\"}\n\n"))
    }
}

@Suite("Frames admitted to a socket") struct DeliveryLedgerTests {
    private func ledger(_ deliveries: [(SocketDelivery.Kind, Int)]) -> (ledger: DeliveryLedger, admitted: [Bool]) {
        var ledger = DeliveryLedger()
        let admitted = deliveries.map { ledger.admit($0.0, seq: $0.1) }
        return (ledger, admitted)
    }

    @Test(
        "an event of any kind is new only if its number is higher than the last one",
        arguments: [
            SocketDelivery.Kind.event, .progress, .replayed, .page,
        ])
    func events(kind: SocketDelivery.Kind) {
        let outcome = ledger([(kind, 3), (kind, 3), (kind, 2), (kind, 4)])
        #expect(outcome.admitted == [true, false, false, true])
        #expect(outcome.ledger.lastSeq == 4)
        #expect(outcome.ledger.isPlaced)
    }

    @Test(
        "frames that are not events are always admitted and leave the sequence number unchanged",
        arguments: [SocketDelivery.Kind.control, .ping, .text])
    func others(kind: SocketDelivery.Kind) {
        let outcome = ledger([(.event, 5), (kind, 1), (kind, 9)])
        #expect(outcome.admitted == [true, true, true])
        #expect(outcome.ledger.lastSeq == 5)
        #expect(!ledger([(kind, 1)]).ledger.begun)
    }

    @Test("the terminal frame is admitted once, even if it has the same number as the event before it")
    func terminal() {
        let outcome = ledger([(.event, 5), (.terminal, 5), (.terminal, 6)])
        #expect(outcome.admitted == [true, true, false])
        #expect(outcome.ledger.lastSeq == 5)
    }

    @Test(
        "a reconnected frame sets the position of a stream that has none, and is otherwise admitted without changing it"
    )
    func reconnected() {
        let outcome = ledger([(.reconnected, 17), (.event, 17), (.event, 18), (.reconnected, 3), (.event, 19)])
        #expect(outcome.admitted == [true, false, true, true, true])
        #expect(outcome.ledger.lastSeq == 19)
    }

    @Test("ready_ack starts a stream without setting its position")
    func readyAck() {
        let outcome = ledger([(.readyAck, 9)])
        #expect(outcome.ledger.begun)
        #expect(!outcome.ledger.isPlaced)
        #expect(outcome.ledger.lastSeq == 0)
    }
}
