import SuiteMethods
import Testing

/// websocket.md "Client messages", row by row.
@Suite("Client messages")
struct ClientMessageTests {
    @Test(
        "every documented message is recognized, any other type or action is unknown, and the last of repeated keys counts",
        arguments: [
            (#"{"type":"ready"}"#, ClientMessage.ready), (#"  {"type" : "ready", "extra": [1, {}]}  "#, .ready),
            (#"{"type":"ping"}"#, .ping(clientTime: nil)), (#"{"type":"ping","payload":{}}"#, .ping(clientTime: nil)),
            (#"{"type":"ping","payload":{"clientTime":1700000000000}}"#, .ping(clientTime: 1_700_000_000_000)),
            (#"{"type":"ping","payload":{"clientTime":1700000000000.4}}"#, .ping(clientTime: 1_700_000_000_000)),
            (#"{"type":"ping","payload":{"clientTime":"late"}}"#, .ping(clientTime: nil)),
            (#"{"type":"ping","payload":{"clientTime":1e300}}"#, .ping(clientTime: nil)),
            (#"{"type":"ping","payload":[]}"#, .ping(clientTime: nil)), (#"{"type":"pong"}"#, .pong),
            (#"{"type":"sync_request"}"#, .stateRequest(v1: false)),
            (#"{"action":"getJobStatus","jobId":"x"}"#, .stateRequest(v1: true)),
            (#"{"type":5,"action":"getJobStatus"}"#, .stateRequest(v1: true)), (#"{"type":"cancel"}"#, .cancel),
            (#"{"type":"cancel_batch"}"#, .cancel), ("PING", .textPing),
            (#"{"type":"ack","seq":0}"#, .ack(seq: 0)), (#"{"type":"ack","seq":41,"x":1}"#, .ack(seq: 41)),
            (#"{"type":"ack","seq":-1}"#, .unknown(type: "ack")), (#"{"type":"ack"}"#, .unknown(type: "ack")),
            (#"{"type":"ack","seq":"41"}"#, .unknown(type: "ack")),
            (#"{"type":"ack","seq":1.5}"#, .unknown(type: "ack")),
            (#"{"type":"dance"}"#, .unknown(type: "dance")),
            (#"{"action":"dance"}"#, .unknownAction("dance")), (#"{"type":""}"#, .unknown(type: "")),
            (#"{"type":"x","type":"ping"}"#, .ping(clientTime: nil)),
            (#"{"type":"ack","seq":1,"seq":2}"#, .ack(seq: 2)),
            (#"{"type":"ping","payload":{"clientTime":1,"clientTime":2}}"#, .ping(clientTime: 2)),
        ])
    func understood(text: String, message: ClientMessage) throws {
        #expect(try ClientMessage(bytes: text.utf8) == message)
    }

    @Test(
        "a malformed message is rejected with an error that states the fault",
        arguments: [
            ("", ClientMessage.Malformation.notJSON), ("ping", .notJSON), ("{", .notJSON),
            (#"{"type":"ready""#, .notJSON),
            (#"{"type":"ready"}}"#, .notJSON), ("[]", .notAnObject), (#"["type"]"#, .notAnObject),
            (#""ready""#, .notAnObject), ("5", .notAnObject), ("true", .notAnObject), ("null", .notAnObject),
            ("{}", .noType), (#"{"type":null}"#, .noType), (#"{"type":5}"#, .noType), (#"{"kind":"ready"}"#, .noType),
        ])
    func malformed(text: String, malformation: ClientMessage.Malformation) {
        #expect(throws: malformation) { try ClientMessage(bytes: text.utf8) }
    }

    @Test("invalid UTF-8 and excessive nesting are reported as malformed")
    func hostile() {
        #expect(throws: ClientMessage.Malformation.self) { try ClientMessage(bytes: [0x7B, 0xFF, 0xFE, 0x7D]) }
        #expect(throws: ClientMessage.Malformation.self) {
            try ClientMessage(bytes: Array(repeating: UInt8(ascii: "["), count: 64 << 10))
        }
        let nested =
            #"{"type":"ready","x":"# + String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)
            + "}"
        _ = try? ClientMessage(bytes: nested.utf8)
    }
}
