import NIOCore
import Observability
import Testing
@testable import JSONRPC

@Suite("Parsing messages")
struct MessageTests {
    private func message(_ text: String) throws -> Message { try Message(ByteBuffer(string: text)) }

    @Test("a request contains id, method, parameters and deadline")
    func request() throws {
        let text = #"{"jsonrpc":"2.0","id":7,"method":"a.b","deadlineMs":1500,"params":{"x":1}}"#
        let expected = Message.request(
            id: .integer(7), method: "a.b", parameters: ByteBuffer(string: #"{"x":1}"#), deadline: .milliseconds(1500),
            trace: nil)
        #expect(try message(text) == expected)
    }

    @Test(
        "ids of every allowed type are accepted and echoed with the same value",
        arguments: [
            ("0", RPCID.integer(0), "0"), ("-5", .integer(-5), "-5"),
            ("9223372036854775807", .integer(.max), "9223372036854775807"),
            ("9223372036854775808", .number("9223372036854775808"), "9223372036854775808"),
            ("1.50", .number("1.50"), "1.50"),
            ("1e2", .number("1e2"), "1e2"), ("-0", .number("-0"), "-0"), ("\"\"", .text(""), "\"\""),
            ("\"a\\u0062\\\"\\n\"", .text("ab\"\n"), "\"ab\\\"\\u000a\""), ("\"\\ud83e\\udd8a\"", .text("🦊"), "\"🦊\""),
        ])
    func ids(wire: String, id: RPCID, echo: String) throws {
        let text = #"{"jsonrpc":"2.0","id":\#(wire),"method":"m"}"#
        #expect(
            try message(text)
                == .request(id: id, method: "m", parameters: ByteBuffer(string: "{}"), deadline: nil, trace: nil))
        var buffer = ByteBuffer()
        id.write(to: &buffer)
        #expect(String(buffer: buffer) == echo)
    }

    @Test("a message without an id is a notification")
    func notification() throws {
        let expected = Message.notification(method: "m", parameters: ByteBuffer(string: "[1]"))
        #expect(try message(#"{"jsonrpc":"2.0","method":"m","params":[1]}"#) == expected)
    }

    @Test(
        "an object that is not a request is reported with its fault",
        arguments: [
            (#"{}"#, nil, "jsonrpc must be \"2.0\""),
            (#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, RPCID.integer(1), "jsonrpc must be \"2.0\""),
            (#"{"jsonrpc":2.0,"id":1,"method":"m"}"#, .integer(1), "jsonrpc must be \"2.0\""),
            (#"{"jsonrpc":"2.0","id":1}"#, .integer(1), "method must be a string"),
            (#"{"jsonrpc":"2.0","id":1,"method":5}"#, .integer(1), "method must be a string"),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}"#, .integer(1),
                "params must be an object or an array"
            ),
            (#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, nil, "id must be a string or a number"),
            (#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, nil, "id must be a string or a number"),
        ] as [(String, RPCID?, String)])
    func invalidRequests(text: String, id: RPCID?, reason: String) throws {
        #expect(try message(text) == .invalidRequest(id: id, reason: reason))
    }

    @Test("the protocol version in a message may contain escapes")
    func escapedVersion() throws {
        let expected = Message.notification(method: "m", parameters: ByteBuffer(string: "{}"))
        #expect(try message(#"{"jsonrpc":"2\u002e0","method":"m"}"#) == expected)
    }

    @Test(
        "a deadline that is not a positive whole number counts as missing",
        arguments: ["0", "-5", "1.5", "\"9\"", "null", "1e99"])
    func oddDeadlines(deadline: String) throws {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"m","deadlineMs":\#(deadline)}"#
        let expected = Message.request(
            id: .integer(1), method: "m", parameters: ByteBuffer(string: "{}"), deadline: nil, trace: nil)
        #expect(try message(text) == expected)
    }

    @Test("a request contains its trace context")
    func trace() throws {
        let trace = TraceContext(requestID: "import-7")
        var buffer = ByteBuffer()
        let body = ByteBuffer(string: "{}")
        FrameWriter.writeRequest(id: 1, method: "m", deadline: .seconds(1), trace: trace, parameters: body, to: &buffer)
        let line = String(buffer: buffer.getSlice(at: 0, length: buffer.readableBytes - 1) ?? buffer)
        #expect(
            try message(line)
                == .request(id: .integer(1), method: "m", parameters: body, deadline: .seconds(1), trace: trace))
    }

    @Test("a response contains either a result or a failure")
    func answers() throws {
        #expect(
            try message(#"{"jsonrpc":"2.0","id":1,"result":null}"#)
                == .result(id: .integer(1), ByteBuffer(string: "null")))
        let failure = ErrorObject(code: -32000, message: "gone", data: RPCErrorDetail(code: "NOT_FOUND"))
        #expect(
            try message(
                #"{"jsonrpc":"2.0","id":"x","error":{"code":-32000,"message":"gone","data":{"code":"NOT_FOUND"}}}"#)
                == .failure(id: .text("x"), failure))
        #expect(
            try message(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#)
                == .failure(id: nil, ErrorObject(code: -32700, message: "?")))
    }

    @Test(
        "an object that resembles a response is never treated as a request",
        arguments: [
            #"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}"#, #"{"jsonrpc":"2.0","result":1}"#,
            #"{"jsonrpc":"2.0","id":1,"error":"no"}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
            #"{"id":1,"result":1}"#,
        ])
    func invalidAnswers(text: String) throws {
        guard case .invalidResponse = try message(text) else {
            Issue.record("the text was not parsed as an invalid response: \(text)")
            return
        }
    }
}

@Suite("Written frames")
struct FrameWriterTests {
    private func written(_ write: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer()
        write(&buffer)
        return String(buffer: buffer)
    }

    @Test("each kind of frame has its members and exactly one line ending")
    func kinds() {
        let body = ByteBuffer(string: #"{"a":1}"#)
        #expect(
            written {
                FrameWriter.writeRequest(
                    id: 7, method: "m", deadline: .seconds(2), trace: nil, parameters: body, to: &$0)
            }
                == #"{"jsonrpc":"2.0","id":7,"method":"m","deadlineMs":2000,"params":{"a":1}}"# + "\n")
        #expect(
            written { FrameWriter.writeNotification(method: "m\"", parameters: body, to: &$0) }
                == #"{"jsonrpc":"2.0","method":"m\"","params":{"a":1}}"# + "\n")
        #expect(
            written { FrameWriter.writeResult(id: .text("x"), body, to: &$0) }
                == #"{"jsonrpc":"2.0","id":"x","result":{"a":1}}"# + "\n")
        #expect(
            written { FrameWriter.writeFailure(id: nil, ErrorObject(code: -32700, message: "?"), to: &$0) }
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"# + "\n")
    }

    @Test("line breaks in a raw body cannot end its frame")
    func lineBreaks() {
        let body = ByteBuffer(string: "{\n\t\"a\": 1\r\n}")
        #expect(
            written { FrameWriter.writeNotification(method: "m", parameters: body, to: &$0) }
                == "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{ \t\"a\": 1\r }}\n")
    }

    @Test("an encoded application error can be decoded unchanged")
    func errorRoundTrip() {
        let details = ByteBuffer(string: #"{"jobId":"J","n":[1]}"#)
        let error = ErrorObject(
            answering: RPCApplicationError(
                code: "NOT_FOUND", message: "no \"job\"\u{1F}\\ž", details: details, retryAfterSeconds: 5))
        var buffer = ByteBuffer()
        error.write(to: &buffer)
        #expect(ErrorObject(parsing: buffer) == error)
        #expect(error.code == RPCErrorCode.application)
    }

    @Test(
        "deadlines are rounded up to whole milliseconds",
        arguments: [
            (Duration.zero, Int32(1)), (.seconds(-3), 1), (.microseconds(1), 1), (.milliseconds(5), 5),
            (.microseconds(5_001), 6),
            (.seconds(600), 600_000), (.seconds(4_000_000), Int32.max),
        ])
    func deadlines(duration: Duration, milliseconds: Int32) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}
